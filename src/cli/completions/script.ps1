# Completes the command line of dayledger in PowerShell. Load this file from $PROFILE. For each completion, the script
# runs dayledger, which prints the kind of the candidates and then one candidate per line. Without a candidate, PowerShell
# completes files.

Register-ArgumentCompleter -Native -CommandName dayledger -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text })
    $index = if ($wordToComplete -eq '') { $words.Count } else { $words.Count - 1 }
    $found = @(& $commandAst.GetCommandName() complete powershell $index -- @words 2>$null)
    if ($found[0] -eq 'values') {
        $found | Select-Object -Skip 1 | ForEach-Object {
            $value, $description = $_ -split "`t", 2
            $shown = if ($description) { $description } else { $value }
            [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $shown)
        }
    }
}
