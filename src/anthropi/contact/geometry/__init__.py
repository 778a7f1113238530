"""Geometry of contact: features of links, surfaces, height fields, and pairs of shapes."""
