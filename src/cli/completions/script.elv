# Completes the command line of dayledger in Elvish. Load this file from rc.elv. For each completion, the script runs
# dayledger, which prints the kind of the candidates and then one candidate per line.

set edit:completion:arg-completer[dayledger] = {|@words|
    var found = [((external $words[0]) complete elvish (- (count $words) 1) -- $@words 2>/dev/null)]
    if (eq $found[0] files) {
        edit:complete-filename $@words
    } else {
        put (all $found[1..])
    }
}
