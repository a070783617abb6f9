"""The servers that are asked: a module each, and its name in `SERVERS` of `run.py`.

`NAME` is what tables call it. `program(dayledger, kept, packages)` gives its program, which it installs below the folder
`kept` where it is not there, and `command(program, folder)` starts it for the history in a folder. `values(text)` is
what the text of an answer holds, and `says_cut(values)` whether that says that something is missing. `PLANS` has a plan
by the name of a question; a question without one is one that the server has nothing for.
"""
