"""Handlers for the world (gravity, ground, obstacles, time step) and the camera."""

from dataclasses import replace

from anthropi.errors import InputError
from anthropi.studio import messages as m
from anthropi.studio.project.scene import scene_of, surface_of
from anthropi.studio.session.session import StudioSession, handles

__all__ = ["set_ground"]

MAX_GRAVITY = 1e4  # [m/s²]
TIME_TOLERANCE = 1e-6  # [s] within which two camera keys are at the same time


@handles(m.SetGravity)
def set_gravity(session: StudioSession, command: m.SetGravity) -> None:
    """Set the gravity vector of the world."""
    if max(abs(x) for x in command.gravity) > MAX_GRAVITY:
        raise InputError(f"The gravity is larger than {MAX_GRAVITY:,.0f} m/s². Give smaller components.")
    world = replace(session.project.world, gravity=command.gravity)
    session.edit("gravity", session.project.changed(world=world), command.done)


@handles(m.SetGround)
def set_ground(session: StudioSession, command: m.SetGround) -> None:
    """Set the ground of the world."""
    surface_of(command.ground)
    session.edit(
        f"ground is {command.ground.kind}",
        session.project.changed(world=replace(session.project.world, ground=command.ground)),
    )


@handles(m.SetObstacles)
def set_obstacles(session: StudioSession, command: m.SetObstacles) -> None:
    """Replace all obstacles of the world."""
    world = replace(session.project.world, obstacles=command.obstacles)
    if session.project.items:
        scene_of(session.project.items[0].figure, world)
    session.edit("obstacles", session.project.changed(world=world))


@handles(m.SetScheme)
def set_scheme(session: StudioSession, command: m.SetScheme) -> None:
    """Set the time step, frame rate and contact model."""
    given = {n: getattr(command, n) for n in ("dt", "rate", "contact")}
    world = replace(session.project.world, **{n: x for n, x in given.items() if x is not None})
    if not 1e-6 <= world.dt <= 0.05 or not 1.0 <= world.rate <= 1.0 / world.dt + 1e-6:
        raise InputError(
            f"The time step is {world.dt:g} s and the frame rate is {world.rate:g} per second. Give a time step of "
            "1e-6 to 0.05 s, and a frame rate of at least 1 per second and at most one frame per step."
        )
    session.edit("simulation settings", session.project.changed(world=world))


@handles(m.SetCamera)
def set_camera(session: StudioSession, command: m.SetCamera) -> None:
    """Set the camera. This cannot be undone."""
    session.put(session.project.changed(camera=command.camera))


@handles(m.SetCameraKey)
def set_camera_key(session: StudioSession, command: m.SetCameraKey) -> None:
    """Set a camera key at a time."""
    kept = [k for k in session.project.camera_keys if abs(k.time - command.time) > TIME_TOLERANCE]
    keys = sorted([*kept, m.CameraKey(command.time, command.camera)], key=lambda k: k.time)
    session.edit("camera key", session.project.changed(camera_keys=tuple(keys)))


@handles(m.MoveCameraKey)
def move_camera_key(session: StudioSession, command: m.MoveCameraKey) -> None:
    """Move a camera key to another time."""
    key = _camera_key(session, command.time)
    keys = [replace(k, time=command.to) if k is key else k for k in session.project.camera_keys]
    session.edit("move camera key", session.project.changed(camera_keys=tuple(sorted(keys, key=lambda k: k.time))))


@handles(m.RemoveCameraKey)
def remove_camera_key(session: StudioSession, command: m.RemoveCameraKey) -> None:
    """Remove a camera key."""
    key = _camera_key(session, command.time)
    keys = tuple(k for k in session.project.camera_keys if k is not key)
    session.edit("remove camera key", session.project.changed(camera_keys=keys))


def _camera_key(session: StudioSession, time: float) -> m.CameraKey:
    for key in session.project.camera_keys:
        if abs(key.time - time) < TIME_TOLERANCE:
            return key
    known = ", ".join(f"{key.time:g} s" for key in session.project.camera_keys) or "none"
    raise InputError(f"There is no camera key at {time:g} s. Camera keys: {known}.")
