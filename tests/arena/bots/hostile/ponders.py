import threading

from seat import play, say


def burn():
    while True:
        pass


def answer(message):
    say({"action": message["legal"][0]})


def begin(message):
    threading.Thread(target=burn, daemon=True).start()


play(on_first_act=begin, answer=answer)
