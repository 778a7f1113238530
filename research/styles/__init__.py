"""Walks in many styles, for the classification of styles."""
