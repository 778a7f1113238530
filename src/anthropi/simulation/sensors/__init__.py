"""Sensors: inertial units, encoders, foot pressure, contact flags, centre of pressure, range; noise, bias and delay."""

from anthropi.simulation.sense import ContactForces, Contacts, Controller, Sense, is_controller
from anthropi.simulation.sensors.contact import CentreOfPressure, ContactFlags, Pressure
from anthropi.simulation.sensors.motion import Encoder, Imu, imu_values
from anthropi.simulation.sensors.range import Range, ray_distance
from anthropi.simulation.sensors.sensor import Imperfect, Sensed, Sensor, sensed

__all__ = [
    "CentreOfPressure",
    "ContactFlags",
    "ContactForces",
    "Contacts",
    "Controller",
    "Encoder",
    "Imperfect",
    "Imu",
    "Pressure",
    "Range",
    "Sense",
    "Sensed",
    "Sensor",
    "imu_values",
    "is_controller",
    "ray_distance",
    "sensed",
]
