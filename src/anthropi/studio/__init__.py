"""The studio: figures seen, touched and shared in a browser, served on this machine only.

`messages/` is what browser and server say to each other, `typescript.py` the same for the browser; `server.py` serves,
`guard.py` refuses, `client.py` is a browser that listens, `desk/` what is open and what commands do with it, `live/` a
simulation on its way, `studio/project/file.py` the file of it all.
"""
