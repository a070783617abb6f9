# Completes the command line of dayledger in bash. Load this file from ~/.bashrc. For each completion, the script runs
# dayledger, which prints the kind of the candidates and then one candidate per line.

_dayledger() {
    local line kind=
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -z $kind ]]; then
            kind=$line
        else
            COMPREPLY+=("$line")
        fi
    done < <("${1/#\~\//$HOME/}" complete bash "$COMP_CWORD" -- "${COMP_WORDS[@]}" 2>/dev/null)
    if [[ $kind == files ]]; then
        compopt -o default 2>/dev/null
    fi
}

complete -o nosort -F _dayledger dayledger 2>/dev/null || complete -F _dayledger dayledger
