"""The studio: build, simulate, push and share figures in a browser; served on this machine only.

`messages/` are the commands and events between browser and server, `project/` the open project and its file, `live/`
simulations in real time, `session/` the handlers of all commands, `server.py` and `client.py` the connections,
`guard.py` access control, `serve.py` the start. The front end is in `studio/` of the repository, its bundle here.
"""
