"""The world that figures are in, and Set View Point."""

from dataclasses import replace

from anthropi.errors import InputError
from anthropi.studio import messages as m
from anthropi.studio.project.scene import scene_of, surface_of
from anthropi.studio.session.session import handles

__all__ = ["set_ground"]


@handles(m.SetGravity)
def set_gravity(desk, command) -> None:
    """The world's gravity."""
    if max(abs(x) for x in command.gravity) > 1e4:
        raise InputError("Gravity beyond 10 km/s² is nowhere. Give less.")
    world = replace(desk.project.world, gravity=command.gravity)
    desk.edit("gravity", desk.project.changed(world=world), command.done)


@handles(m.SetGround)
def set_ground(desk, command) -> None:
    """What figures stand on."""
    surface_of(command.ground)
    desk.edit(f"ground is {command.ground.kind}",
              desk.project.changed(world=replace(desk.project.world, ground=command.ground)))  # fmt: skip


@handles(m.SetObstacles)
def set_obstacles(desk, command) -> None:
    """Solids in the world."""
    world = replace(desk.project.world, obstacles=command.obstacles)
    if desk.project.items:
        scene_of(desk.project.items[0].figure, world)
    desk.edit("obstacles", desk.project.changed(world=world))


@handles(m.SetScheme)
def set_scheme(desk, command) -> None:
    """How simulations go."""
    given = {n: getattr(command, n) for n in ("dt", "rate", "contact")}
    world = replace(desk.project.world, **{n: x for n, x in given.items() if x is not None})
    if not 1e-6 <= world.dt <= 0.05 or not 1.0 <= world.rate <= 1.0 / world.dt + 1e-6:
        raise InputError(
            f"Steps of {world.dt:g} s and {world.rate:g} frames a second: give 1e-6 to 0.05 s, and a frame "
            "at most every step."
        )
    desk.edit("how simulations go", desk.project.changed(world=world))


@handles(m.SetCamera)
def set_camera(desk, command) -> None:
    """Set View Point."""
    desk.put(desk.project.changed(camera=command.camera))


@handles(m.SetCameraKey)
def set_camera_key(desk, command) -> None:
    """The camera at a time."""
    kept = [k for k in desk.project.camera_keys if abs(k.time - command.time) > 1e-6]
    keys = sorted([*kept, m.CameraKey(command.time, command.camera)], key=lambda k: k.time)
    desk.edit("camera key", desk.project.changed(camera_keys=tuple(keys)))


@handles(m.MoveCameraKey)
def move_camera_key(desk, command) -> None:
    """A camera key to another time."""
    key = _camera_key(desk, command.time)
    keys = [replace(k, time=command.to) if k is key else k for k in desk.project.camera_keys]
    desk.edit("move camera key", desk.project.changed(camera_keys=tuple(sorted(keys, key=lambda k: k.time))))


@handles(m.RemoveCameraKey)
def remove_camera_key(desk, command) -> None:
    """A camera key away."""
    key = _camera_key(desk, command.time)
    keys = tuple(k for k in desk.project.camera_keys if k is not key)
    desk.edit("remove camera key", desk.project.changed(camera_keys=keys))


def _camera_key(desk, time: float) -> m.CameraKey:
    for key in desk.project.camera_keys:
        if abs(key.time - time) < 1e-6:
            return key
    raise InputError(f"There is no camera key at {time:g} s.")
