# Completes the command line of dayledger in Elvish. Load this file from rc.elv. For each completion, the script runs
# dayledger, which prints the kind of the candidates and then one candidate per line.

use str

set edit:completion:arg-completer[dayledger] = {|@words|
    var found = [((external $words[0]) complete elvish (- (count $words) 1) -- $@words 2>/dev/null)]
    if (not-eq $found[0] files) {
        put (all $found[1..])
    } elif (str:has-prefix $words[-1] --) {
        # The option and its file are one word, such as `--config=FILE`.
        var option file = (str:split &max=2 '=' $words[-1])
        edit:complete-filename $file | each {|found| put $option'='$found[stem] }
    } else {
        edit:complete-filename $@words
    }
}
