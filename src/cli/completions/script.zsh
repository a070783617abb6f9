#compdef dayledger
# Completes the command line of dayledger in zsh. Save this file as `_dayledger` in a folder of `fpath`, or load it from
# ~/.zshrc. For each completion, the script runs dayledger, which prints the kind of the candidates and then one
# candidate per line.

_dayledger() {
    local line kind= program=${(Q)words[1]}
    local -a found
    for line in ${(f)"$(${program/#\~\//$HOME/} complete zsh $((CURRENT - 1)) -- "${(@)words}" 2>/dev/null)"}; do
        if [[ -z $kind ]]; then
            kind=$line
        else
            found+=("$line")
        fi
    done
    if [[ $kind == files ]]; then
        # The option and its file can be one word, such as `--config=FILE`.
        compset -P '--*='
        _files
    elif (( $#found )); then
        _describe -V 'dayledger' found -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}'
    fi
}

if [[ $funcstack[1] == _dayledger ]]; then
    _dayledger "$@"
else
    compdef _dayledger dayledger
fi
