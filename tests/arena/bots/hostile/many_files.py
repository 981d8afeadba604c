from seat import play


def make(message):
    for number in range(2_000_000):
        open(f"/tmp/{number}", "w").close()


play(on_first_act=make)
