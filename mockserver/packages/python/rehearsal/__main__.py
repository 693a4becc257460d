"""Runs the program: `python -m rehearsal serve`."""

import os
import subprocess
import sys

from rehearsal import binary_path


def main():
    try:
        program = binary_path()
    except FileNotFoundError as error:
        sys.exit(f"rehearsal: {error}")
    arguments = [program, *sys.argv[1:]]
    if os.name == "nt":  # execv there returns to the shell at once
        sys.exit(subprocess.run(arguments).returncode)
    os.execv(program, arguments)


if __name__ == "__main__":
    main()
