"""OpenSim models (.osim): bodies, joints, markers, contact spheres, constraints; muscles on demand."""

from typing import Any

from anthropi.formats.figures.osim.reader import read

__all__ = ["read", "read_muscles"]


def __getattr__(name: str) -> Any:
    if name == "read_muscles":  # imported late: muscles need the simulation, which figures do not
        from anthropi.formats.figures.osim.muscles import read_muscles

        return read_muscles
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
