# Runs a Python bot inside the sandbox: python -s -P -S boot.py /bot/ENTRY
# The interpreter was started without site, so what can be imported is exactly what is listed here.
import atexit
import builtins
import posix
import sys


class _Later:
    """Reads inspect when it is first used: dataclasses imports it and hardly ever asks it, and it takes 8 ms."""

    @staticmethod
    def find_spec(name, path=None, target=None):  # type: ignore[no-untyped-def]
        if name != "inspect":
            return None
        from importlib.machinery import PathFinder
        from importlib.util import LazyLoader

        spec = PathFinder.find_spec(name, path)
        spec.loader = LazyLoader(spec.loader)  # type: ignore[union-attr,arg-type]
        return spec


sys.meta_path.insert(0, _Later)
warm = None
if sys.argv[1] == "--nursery":
    sys.path.insert(0, "/opt/rumrunner")
    warm = __import__("nursery")
    warm.serve()  # comes back in the process of a bot, forked, with the arguments that it would have
entry = sys.argv[1]
program = warm and warm.program_of(entry)  # as long as nothing can be imported from the bot's own folder
folder = entry.rpartition("/")[0]
beside = [folder] if folder == "/bot" else [folder, "/bot"]
system = [path for path in sys.path if path.startswith("/usr/")]
sys.path[:] = [*beside, *system, "/opt/rumrunner/code", "/opt/rumrunner/site"]
sys.argv[:] = [entry]
sys.dont_write_bytecode = True
builtins.exit = builtins.quit = sys.exit  # type: ignore[assignment]
__file__ = entry
if program is None:
    with open(entry, "rb") as stream:
        program = compile(stream.read(), entry, "exec")
    del stream
del warm, folder, beside, builtins, system
exec(program, {"__name__": "__main__", "__file__": entry, "__builtins__": __builtins__})  # noqa: S102
# It came to its end: what Python does then, but for clearing up, object by object, what goes with the process anyway.
if "threading" in sys.modules:
    sys.modules["threading"]._shutdown()
atexit._run_exitfuncs()
try:
    for output in (sys.stdout, sys.stderr):
        if output is not None and not output.closed:
            output.flush()
except Exception:  # noqa: BLE001 Python itself will say what is wrong with it
    sys.exit()
posix._exit(0)
