"""Styles."""
