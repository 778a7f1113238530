"""Small OpenSim models: every joint, every function, and the ways in which the versions 2 to 4 write a model."""

INERTIA = "0.04 0.05 0.03 0.002 -0.001 0.003"
FUNCTIONS = {
    "Constant": "<value>0.3</value>",
    "LinearFunction": "<coefficients>0.7 -0.2</coefficients>",
    "PolynomialFunction": "<coefficients>0.3 -0.2 0.5 0.1</coefficients>",
    "SimmSpline": "<x>-1.2 -0.7 0.1 0.4 1.3 1.5</x><y>0.2 0.1 -0.05 0.3 0.2 0.25</y>",
    "GCVSpline": "<half_order>3</half_order><error_variance>0</error_variance>"
    "<x>-1.2 -0.7 0.1 0.4 1.3 1.5</x><weights>1 1 1 1 1 1</weights><y>0.2 0.1 -0.05 0.3 0.2 0.25</y>",
    "PiecewiseLinearFunction": "<x>-1 0.2 0.9</x><y>0.1 0.4 -0.2</y>",
    "PiecewiseConstantFunction": "<x>-1 0.2 0.9</x><y>0.1 0.4 -0.2</y>",
    "StepFunction": "<transition_start_time>-0.5</transition_start_time><transition_end_time>0.8"
    "</transition_end_time><start_value>-0.1</start_value><end_value>0.6</end_value>",
    "Sine": "<amplitude>0.4</amplitude><omega>1.7</omega><phase>0.3</phase><offset>0.1</offset>",
    "MultiplierFunction": "<function><SimmSpline><x>-1 0.1 0.8</x><y>0.2 0.6 -0.3</y></SimmSpline></function>"
    "<scale>-1.4</scale>",
}
JOINTS = {  # number of coordinates, other properties
    "WeldJoint": (0, ""),
    "PinJoint": (1, ""),
    "SliderJoint": (1, ""),
    "UniversalJoint": (2, ""),
    "GimbalJoint": (3, ""),
    "BallJoint": (3, ""),
    "PlanarJoint": (3, ""),
    "FreeJoint": (6, ""),
    "EllipsoidJoint": (3, "<radii_x_y_z>0.1 0.15 0.12</radii_x_y_z>"),
    "ScapulothoracicJoint": (
        4,
        "<thoracic_ellipsoid_radii_x_y_z>0.08 0.2 0.09</thoracic_ellipsoid_radii_x_y_z><scapula_winging_axis_origin>"
        "0.01 -0.02</scapula_winging_axis_origin><scapula_winging_axis_direction>0.7</scapula_winging_axis_direction>",
    ),
}


def coordinate(name, value=0.1, extra=""):
    return (
        f'<Coordinate name="{name}"><default_value>{value}</default_value><default_speed_value>0.2'
        f"</default_speed_value><range>-1.3 1.2</range><clamped>true</clamped>{extra}</Coordinate>"
    )


def body(name, inside=""):
    xx, yy, zz, xy, xz, yz = INERTIA.split()
    parts = "".join(f"<inertia_{k}>{v}</inertia_{k}>" for k, v in zip(
        ("xx", "yy", "zz", "xy", "xz", "yz"), (xx, yy, zz, xy, xz, yz), strict=True))  # fmt: skip
    tensor = parts if inside else f"<inertia>{INERTIA}</inertia>"
    centre = "<mass_center>0.01 -0.1 0.02</mass_center>"
    return f'<Body name="{name}"><mass>1.5</mass>{centre}{tensor}{inside}</Body>'


def frame(name, parent, place="0.1 -0.2 0.05", turn="0.3 -0.4 0.2"):
    return (
        f'<PhysicalOffsetFrame name="{name}"><socket_parent>{parent}</socket_parent><translation>{place}</translation>'
        f"<orientation>{turn}</orientation></PhysicalOffsetFrame>"
    )


def joint(kind, name, parent, child, inside="", coordinates="", offsets=True):
    """A joint of version 4 between two bodies, at offset frames in both."""
    frames = frame("in_parent", parent) + frame("in_child", child, "0.02 0.03 -0.04", "-0.2 0.1 0.5")
    ends = ("in_parent", "in_child") if offsets else (parent, child)
    return (
        f'<{kind} name="{name}"><socket_parent_frame>{ends[0]}</socket_parent_frame><socket_child_frame>{ends[1]}'
        f"</socket_child_frame><coordinates>{coordinates}</coordinates><frames>{frames if offsets else ''}</frames>"
        f"{inside}</{kind}>"
    )


def axis(name, direction, function, coordinates=""):
    return (
        f'<TransformAxis name="{name}"><coordinates>{coordinates}</coordinates><axis>{direction}</axis>{function}'
        "</TransformAxis>"
    )


def function(kind, inside=None, name="function"):
    return f'<{kind} name="{name}">{FUNCTIONS[kind] if inside is None else inside}</{kind}>'


def spatial(*axes):
    """A spatial transform: rotations and translations about and along x, y, z, some by functions of coordinates.

    axes : (number 0 to 5, function, coordinates).
    """
    given, lines = {number: rest for number, *rest in axes}, []
    for k in range(6):
        direction = ("1 0 0", "0 1 0", "0 0 1")[k % 3]
        what, used = given.get(k, (function("Constant", "<value>0</value>"), ""))
        lines.append(axis(f"{'rotation' if k < 3 else 'translation'}{k % 3 + 1}", direction, what, used))
    return f"<SpatialTransform>{''.join(lines)}</SpatialTransform>"


LINE = function("LinearFunction", "<coefficients>1 0</coefficients>")


def model(bodies, joints, rest="", version=40000):
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<OpenSimDocument Version="{version}">\n<Model name="sample">\n'
        f"<gravity>0 -9.80665 0</gravity>\n<BodySet><objects>{bodies}</objects></BodySet>\n"
        f"<JointSet><objects>{joints}</objects></JointSet>\n{rest}</Model>\n</OpenSimDocument>\n"
    )


def pair(second, rest=""):
    """Two bodies: the first on a slide in the ground, the second on the given joint."""
    first = joint("SliderJoint", "rail", "/ground", "/bodyset/base", coordinates=coordinate("rail_x"), offsets=False)
    return model(body("base") + body("arm"), first + second, rest)


def of_kind(kind):
    count, inside = JOINTS[kind]
    own = "".join(coordinate(f"q{k}", 0.1 * k) for k in range(count))
    return pair(joint(kind, "elbow", "/bodyset/base", "/bodyset/arm", inside, own))


def of_function(kind):
    """A custom joint with an angle, another angle and a translation that are functions of it."""
    used = "" if kind == "Constant" else "bend"
    inside = spatial((0, LINE, "bend"), (2, function(kind), used), (4, function(kind), used))
    return pair(joint("CustomJoint", "elbow", "/bodyset/base", "/bodyset/arm", inside, coordinate("bend")))


TWO = function(
    "MultivariatePolynomialFunction",
    "<dimension>2</dimension><order>2</order><coefficients>0.1 0.2 -0.3 0.4 0.15 -0.2</coefficients>",
)
SUM = function("LinearFunction", "<coefficients>0.5 -0.7 0.1</coefficients>")
BOTH = spatial((0, LINE, "bend"), (1, LINE, "twist"), (2, TWO, "bend twist"), (3, SUM, "bend twist"),
               (5, function("SimmSpline"), "twist"))  # fmt: skip
HIP = spatial((0, function("LinearFunction", "<coefficients>-1 0</coefficients>"), "roll"), (2, LINE, "yaw"),
              (1, function("LinearFunction", "<coefficients>1 0.3</coefficients>"), "pitch"),
              (4, function("Constant"), ""))  # fmt: skip
MARKERS = (
    '<MarkerSet><objects><Marker name="tip"><socket_parent_frame>/jointset/elbow/in_child</socket_parent_frame>'
    "<location>0.1 0.2 -0.3</location></Marker></objects></MarkerSet>"
)
COUPLER = (
    '<ConstraintSet><objects><CoordinateCouplerConstraint name="with_rail"><isEnforced>true</isEnforced>'
    f"<coupled_coordinates_function>{function('SimmSpline', name='')}</coupled_coordinates_function>"
    "<independent_coordinate_names>q0</independent_coordinate_names><dependent_coordinate_name>rail_x"
    "</dependent_coordinate_name><scale_factor>0.5</scale_factor></CoordinateCouplerConstraint></objects>"
    "</ConstraintSet>"
)
CONTACT = (
    '<ContactGeometrySet><objects><ContactSphere name="heel"><socket_frame>/bodyset/arm</socket_frame>'
    "<location>0.01 -0.2 0.03</location><orientation>0 0 0</orientation><radius>0.03</radius></ContactSphere>"
    "</objects></ContactGeometrySet>"
)


def nested(kind, name, parent, own, inside, offset="0.1 -0.2 0.05"):
    """A joint of the versions 2 and 3, inside its body."""
    return (
        f'<Joint><{kind} name="{name}"><parent_body>{parent}</parent_body><location_in_parent>{offset}'
        "</location_in_parent><orientation_in_parent>0.3 -0.4 0.2</orientation_in_parent><location>0.02 0.03 -0.04"
        f"</location><orientation>-0.2 0.1 0.5</orientation><CoordinateSet><objects>{own}</objects></CoordinateSet>"
        f"<reverse>false</reverse>{inside}</{kind}></Joint>"
    )


OLD_LINE = "<function><LinearFunction><coefficients>1 0</coefficients></LinearFunction></function>"
OLD_SPLINE = f"<function><NaturalCubicSpline>{FUNCTIONS['SimmSpline']}</NaturalCubicSpline></function>"
OLD_AXES = "<SpatialTransform>{}</SpatialTransform>".format("".join((
    axis("rotation1", "0 0 1", OLD_LINE, "bend"), axis("rotation2", "0 1 0", OLD_SPLINE, "bend"),
    axis("rotation3", "1 0 0", "<function><Constant><value>0</value></Constant></function>"),
    axis("translation1", "1 0 0", OLD_SPLINE, "bend"),
    axis("translation2", "0 1 0", "<function><Constant><value>0.1</value></Constant></function>"),
    axis("translation3", "0 0 1", "<function><Constant><value>0</value></Constant></function>"))))  # fmt: skip
OLD_MARKERS = (
    '<MarkerSet><objects><Marker name="tip"><body>arm</body><location>0.1 0.2 -0.3</location><fixed>true</fixed>'
    "</Marker></objects></MarkerSet>"
)
OLD = model(
    '<Body name="ground"><mass>0</mass><mass_center>0 0 0</mass_center><Joint/></Body>'
    + body("base", nested("SliderJoint", "rail", "ground", coordinate("rail_x"), ""))
    + body("arm", nested("CustomJoint", "elbow", "base", coordinate("bend"), OLD_AXES, "0.123456789 -0.2 0.05")),
    "",
    OLD_MARKERS,
    version=20303,
)

REVERSED = OLD.replace("<reverse>false</reverse>", "<reverse>true</reverse>").replace("20303", "20302")
SAMPLES = {
    **{kind: of_kind(kind) for kind in JOINTS},
    **{kind: of_function(kind) for kind in FUNCTIONS if kind != "PiecewiseConstantFunction"},
    "both": pair(joint("CustomJoint", "elbow", "/bodyset/base", "/bodyset/arm", BOTH,
                       coordinate("bend") + coordinate("twist", -0.2)), MARKERS),
    "hip": pair(joint("CustomJoint", "elbow", "/bodyset/base", "/bodyset/arm", HIP,
                      coordinate("yaw") + coordinate("pitch") + coordinate("roll"))),
    "coupled": pair(joint("PinJoint", "elbow", "/bodyset/base", "/bodyset/arm", "", coordinate("q0")),
                    COUPLER + CONTACT),
    "old": OLD,
    "reversed": REVERSED.replace(' name="elbow"', ""),
    "early": OLD.replace("20303", "10905"),
    "two roots": model(
        body("base") + body("arm"),
        joint("PinJoint", "left", "/ground", "/bodyset/base", "", coordinate("a"))
        + joint("PinJoint", "right", "/ground", "/bodyset/arm", "", coordinate("b")),
    ),
}  # fmt: skip
WHOLE = SAMPLES["both"].replace("</Model>", COUPLER.replace("q0", "bend") + CONTACT + "</Model>")
