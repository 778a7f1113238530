"""Marker sets of laboratories: names, joint centres, clinical angles, and figures scaled to a person."""

from anthropi.motion.marker_sets.clinical import ClinicalModel, Measurements, calibrated, clinical_model

__all__ = ["ClinicalModel", "Measurements", "calibrated", "clinical_model"]
