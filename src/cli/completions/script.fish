# Completes the command line of dayledger in fish. Save this file as `dayledger.fish` in ~/.config/fish/completions. For
# each completion, the script runs dayledger, which prints the kind of the candidates and then one candidate per line.

function __dayledger_complete
    set -l words (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token --cut-at-cursor)
    set -l program (string replace --regex '^~/' "$HOME/" -- $words[1])
    $program complete fish (math (count $words) - 1) -- $words 2>/dev/null
end

function __dayledger_values
    set -l found (__dayledger_complete)
    if test "$found[1]" = values; and test (count $found) -gt 1
        printf '%s\n' $found[2..]
    end
end

function __dayledger_needs_files
    set -l found (__dayledger_complete)
    test "$found[1]" = files
end

complete --command dayledger --no-files --keep-order --arguments '(__dayledger_values)'
complete --command dayledger --condition __dayledger_needs_files --force-files
