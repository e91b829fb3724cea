"""Tolerances that are set to other values, and what they change on each floor."""
