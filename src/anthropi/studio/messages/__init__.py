"""The messages between browser and server. Every control of the studio sends one of these commands.

The reply to the command {"id": 7, "kind": "open_file", "path": "arm.toml"} is {"id": 7, "ok": true, "result": …}, or
{"id": 7, "ok": false, "error": {"message", "link", "joint", "time"}} if it failed. Events have no id.
"""

from anthropi.studio.messages import dofs, events, figures, files, live, runs, studies, views
from anthropi.studio.messages.base import COMMANDS, EVENTS, Command, Event, kind_of
from anthropi.studio.messages.dofs import *  # noqa: F403
from anthropi.studio.messages.events import *  # noqa: F403
from anthropi.studio.messages.figures import *  # noqa: F403
from anthropi.studio.messages.files import *  # noqa: F403
from anthropi.studio.messages.live import *  # noqa: F403
from anthropi.studio.messages.runs import *  # noqa: F403
from anthropi.studio.messages.studies import *  # noqa: F403
from anthropi.studio.messages.views import *  # noqa: F403

__all__ = ["COMMANDS", "EVENTS", "Command", "Event", "kind_of"]
__all__ += [
    *dofs.__all__,
    *events.__all__,
    *figures.__all__,
    *files.__all__,
    *live.__all__,
    *runs.__all__,
    *studies.__all__,
    *views.__all__,
]
