"""The public names: what these modules have in their `__all__`, and nothing else.

A name is made public there, beside what it names, and nowhere a second time; what of these modules
only the client itself uses is not in their `__all__`.
"""

# ruff: noqa: F403  # the stars are what saves the second list

from kb_server.client.asynchronous import *
from kb_server.client.blackboard import *
from kb_server.client.errors import *
from kb_server.client.events import *
from kb_server.client.model import *
from kb_server.client.streams import *
from kb_server.client.values import *
