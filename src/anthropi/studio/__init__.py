"""The studio: build, simulate, push and share figures in a browser; served on this machine only.

- `messages/`: the commands and events between browser and server
- `project/`: the open project, its file and autosave
- `live/`: simulations in real time
- `session/`: the handlers of all commands
- `server.py`, `client.py`: the server and its connections
- `guard.py`: access control
- `serve.py`: the command `anthropi studio`

The source of the page is in `studio/` of the repository, its built bundle in `formats/pages/bundle`.
"""
