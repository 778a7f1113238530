"""Marker sets of laboratories: names, joint centres, clinical angles, and figures scaled to a person."""

from anthropi.motion.marker_sets.clinical import ClinicalModel, Measurements, calibrated, clinical_model
from anthropi.motion.marker_sets.sets import LANDMARKS, SETS, assigned, known_set
from anthropi.motion.marker_sets.subject import Subject, subject_from_static

__all__ = [
    "LANDMARKS",
    "SETS",
    "ClinicalModel",
    "Measurements",
    "Subject",
    "assigned",
    "calibrated",
    "clinical_model",
    "known_set",
    "subject_from_static",
]
