# Completes the command line of dayledger in fish. Save this file as `dayledger.fish` in ~/.config/fish/completions. For
# each completion, the script runs dayledger, which prints the kind of the candidates and then one candidate per line.

function __dayledger_complete
    set -l words (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token --cut-at-cursor)
    set -l found ($words[1] complete fish (math (count $words) - 1) -- $words 2>/dev/null)
    if test "$found[1]" = files
        __fish_complete_path (commandline --current-token --cut-at-cursor)
    else if test (count $found) -gt 1
        printf '%s\n' $found[2..]
    end
end

complete --command dayledger --no-files --keep-order --arguments '(__dayledger_complete)'
