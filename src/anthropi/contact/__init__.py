"""What figures meet: the ground, obstacles, each other, the ends of their joints."""

from anthropi.contact.compliant import Compliant
from anthropi.contact.impulsive import Impulsive
from anthropi.contact.material import Material
from anthropi.contact.obstacles import Obstacle
from anthropi.contact.scene import Scene
from anthropi.contact.surfaces import Plane

__all__ = ["Compliant", "Impulsive", "Material", "Obstacle", "Plane", "Scene"]
