"""OpenSim models (.osim): bodies, joints, markers, contact spheres, constraints."""

from anthropi.formats.figures.osim.reader import read

__all__ = ["read"]
