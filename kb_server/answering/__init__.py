"""The answers that the service and the local board share: questions, poses and the stage.

Imports `ontology`, `errors`, `core`, `consistency`, `journal` and `wire`.
Start with `questions.py`.
"""
