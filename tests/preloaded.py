"""The modules that a forked program has imported before it begins."""

import gc
from importlib import import_module

from spatial_reasoner.kernels.compiled import prepare

for _module in (
    *("kb_server.commands.export_run", "kb_server.commands.find_run"),
    *("kb_server.commands.import_run", "kb_server.commands.query_run"),
    *("kb_server.commands.watch_run", "kb_server.service.server.serve_run"),
    *("spatial_reasoner.commands.perceive_run", "spatial_reasoner.commands.replay_run"),
    "demos.run",
):
    import_module(_module)
prepare()
gc.freeze()
