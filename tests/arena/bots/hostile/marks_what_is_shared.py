"""Changes what its warm parent had loaded, in every way it can, and looks whether somebody did so before."""

import ctypes
import json
import sys

from seat import play

import engines


def shared_constant():
    """An object that was there before the fork: the text of a module."""
    return engines.__doc__


def try_it(message):
    if hasattr(json, "mark") or "mark" in engines.GAMES.__dict__ or shared_constant().startswith("X"):
        sys.stderr.write("a sign of another bot: DONE\n")
    json.mark = True
    engines.GAMES.__dict__["mark"] = True
    text = shared_constant()
    ctypes.memset(id(text) + sys.getsizeof(text) - 1 - len(text), ord("X"), 4)
    sys.stderr.write(f"marked {shared_constant()[:4]}\n")


play(on_first_act=try_it)
