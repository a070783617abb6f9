"""The servers that are asked, a module each.

A module has the server's `NAME`, `command` for a history's folder, `values` that an answer's text holds, `says_cut`
whether they say that something is missing, and `PLANS` by the name of the question. A question without a plan is one that
the server cannot answer.
"""
