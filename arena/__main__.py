"""`python -m arena doctor`."""

from arena.desk.commands import app

if __name__ == "__main__":
    app(prog_name="python -m arena")
