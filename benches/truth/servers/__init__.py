"""The servers in the comparison. Each server has a module, which is listed in `SERVERS` of `run.py`.

`NAME` is the server's name in tables. `program(dayledger, kept, packages)` returns the server's program. It installs
the program in the folder `kept` if the program is missing. `command(program, folder)` returns the command that starts
the server for the history in a folder. `values(text)` returns the values in the text of an answer. `says_cut(values)`
returns whether the answer says that data is missing. `PLANS` maps questions to plans. The server can't answer a
question without a plan.
"""
