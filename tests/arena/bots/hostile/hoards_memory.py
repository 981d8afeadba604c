from seat import play

hoard = []


def grow(message):
    while True:
        hoard.append(bytearray(b"x") * 4_000_000)


play(on_first_act=grow)
