import time

from seat import play

play(answer=lambda message: time.sleep(3600))
