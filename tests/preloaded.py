"""The modules that a forked program has imported before it begins."""

import gc
from importlib import import_module

from spatial_reasoner.compiled import prepare

for _module in (
    "kb_server.service.serve_command",
    "kb_server.client.names",
    "kb_server.commands.import_command",
    "kb_server.commands.export_command",
    "kb_server.commands.find_command",
    "kb_server.commands.query_command",
    "kb_server.commands.watch_command",
    "spatial_reasoner.perceive_command",
    "spatial_reasoner.replay_command",
    "demos.command",
):
    import_module(_module)
prepare()
gc.freeze()
