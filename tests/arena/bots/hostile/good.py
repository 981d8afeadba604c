from seat import play

play()
