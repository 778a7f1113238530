"""`python -m anthropi.cli`, the same as `anthropi`."""

from anthropi.cli import app

if __name__ == "__main__":
    app(prog_name="anthropi")
