from seat import play


def burn(message):
    while True:
        pass


play(on_first_act=burn)
