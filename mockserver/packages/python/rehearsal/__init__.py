"""A mock of an asynchronous export service: the program, and where it is."""

import os
import sys
import sysconfig

__all__ = ["binary_path"]


def binary_path() -> str:
    """The path of the program, or that which REHEARSAL_BINARY names.

    A test that starts a server starts this. FileNotFoundError lists the places where it was looked for.
    """
    named = os.environ.get("REHEARSAL_BINARY")
    if named:
        return named
    places = list(dict.fromkeys(_places()))
    for place in places:
        if os.path.isfile(place):
            return place
    raise FileNotFoundError("the program rehearsal is not there: looked for " + ", ".join(places) + ". Install the package again, or name the program in REHEARSAL_BINARY.")


def _places():
    name = "rehearsal" + (sysconfig.get_config_var("EXE") or "")
    package = os.path.dirname(os.path.abspath(__file__))
    beside = os.path.dirname(package)
    scripts = "Scripts" if os.name == "nt" else "bin"
    # This Python, which may be a virtual environment, and the one below it.
    yield os.path.join(sysconfig.get_path("scripts"), name)
    yield os.path.join(sysconfig.get_path("scripts", vars={"base": sys.base_prefix}), name)
    # pip install --prefix: PREFIX/lib/python3.12/site-packages, or PREFIX/Lib/site-packages on Windows.
    levels = 2 if os.name == "nt" else 3
    prefix = beside
    for _ in range(levels):
        prefix = os.path.dirname(prefix)
    yield os.path.join(prefix, scripts, name)
    # pip install --target.
    yield os.path.join(beside, "bin", name)
    # pip install --user.
    yield os.path.join(sysconfig.get_path("scripts", scheme=sysconfig.get_preferred_scheme("user") if hasattr(sysconfig, "get_preferred_scheme") else os.name + "_user"), name)
