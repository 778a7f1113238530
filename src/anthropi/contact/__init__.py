"""Contact: scenes, contact models (compliant, impulsive, convex, virtual leg), materials and joint limits."""

from anthropi.contact.compliant import Compliant
from anthropi.contact.geometry.surfaces import Plane
from anthropi.contact.impulsive import Impulsive
from anthropi.contact.material import Material
from anthropi.contact.scene import Obstacle, Scene

__all__ = ["Compliant", "Impulsive", "Material", "Obstacle", "Plane", "Scene"]
