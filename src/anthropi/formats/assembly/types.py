"""Which constraints an assembly.toml knows: name, class, the two features, numbers. A new one is a new entry."""

from typing import Any, NamedTuple

from anthropi.constraints import assembled as mates

__all__ = ["FEATURES", "TYPES", "Type"]


class Type(NamedTuple):
    """A kind of constraint: its class, the kinds of its features a and b, its own keys, and those it needs."""

    make: Any
    a: str
    b: str
    keys: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


FEATURES: dict[str, dict[str, tuple[Any, tuple[str, ...], tuple[str, ...]]]] = {  # kind: {name: (class, keys, needed)}
    "point": {"a point": (mates.Point, ("at",), ())},
    "direction": {"a direction": (mates.Direction, ("along",), ("along",))},
    "axis": {"an axis": (mates.Axis, ("at", "along"), ())},
    "frame": {"a frame": (mates.Frame, ("at", "along", "x"), ())},
    "axis or frame": {
        "a frame": (mates.Frame, ("at", "along", "x"), ("x",)),
        "an axis": (mates.Axis, ("at", "along"), ()),
    },
    "plane": {"a plane": (mates.Plane, ("at", "normal"), ())},
    "surface": {
        "a rod": (mates.Rod, ("at", "along", "radius"), ("along", "radius")),
        "a sphere": (mates.Sphere, ("at", "radius"), ("radius",)),
        "a plane": (mates.Plane, ("at", "normal"), ("normal",)),
    },
}  # fmt: skip

TYPES = {
    "coincident": Type(mates.Coincident, "point", "point"),
    "point_on_line": Type(mates.OnLine, "point", "axis"),
    "point_on_plane": Type(mates.OnPlane, "point", "plane", ("distance",)),
    "line_in_plane": Type(mates.InPlane, "axis", "plane", ("distance",)),
    "concentric": Type(mates.Concentric, "axis", "axis", ("sense",)),
    "coplanar": Type(mates.Coplanar, "plane", "plane", ("distance", "sense")),
    "parallel": Type(mates.Parallel, "direction", "direction", ("sense",)),
    "perpendicular": Type(mates.Perpendicular, "direction", "direction"),
    "angle": Type(mates.Angle, "direction", "direction", ("angle",), ("angle",)),
    "distance": Type(mates.Distance, "point", "point", ("distance",), ("distance",)),
    "tangent": Type(mates.Tangent, "surface", "surface", ("inside",)),
    "equal_orientation": Type(mates.EqualOrientation, "frame", "frame"),
    "fixed": Type(mates.Fixed, "frame", "frame"),
    "ball": Type(mates.Ball, "point", "point"),
    "hinge": Type(mates.Hinge, "axis or frame", "axis or frame"),
    "slider": Type(mates.Slider, "frame", "frame"),
    "cylinder": Type(mates.Cylinder, "axis or frame", "axis or frame", ("sense",)),
    "universal": Type(mates.Universal, "axis", "axis"),
    "planar": Type(mates.Planar, "plane", "plane", ("distance", "sense")),
    "screw": Type(mates.Screw, "axis or frame", "axis or frame", ("pitch", "start"), ("pitch",)),
    "gear": Type(mates.Gear, "joint", "joint", ("teeth", "phase"), ("teeth",)),
    "rack_and_pinion": Type(mates.Rack, "joint", "joint", ("radius", "start"), ("radius",)),
}
