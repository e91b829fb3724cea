"""The JSON of every request, answer, event and error: their field names and checks.

Imports `ontology`, `errors`, `core` and `journal`.
Start with `requests.py` and `answers.py`, then `commands.py` and `events.py` of the websocket.
"""
