"""The servers in the comparison: a module each, listed in `SERVERS` of `run.py`.

`NAME` is the name in tables. `program(dayledger, kept, packages)` returns the program, which is installed below the folder
`kept` if it is missing, and `command(program, folder)` starts it for the history in a folder. `values(text)` returns the
values in the text of an answer, and `says_cut(values)` whether these say that something is missing. `PLANS` maps questions
to plans; a question without a plan can't be answered by the server.
"""
