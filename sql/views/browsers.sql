-- A row is a program that shows websites, by the first part of its key in lower case
-- (docs/spec/time.md#browser-segments).
SELECT column1 AS program
FROM (
    VALUES
        ('arc.exe'),
        ('brave'),
        ('brave-browser'),
        ('brave.exe'),
        ('chrome'),
        ('chrome.exe'),
        ('chromium'),
        ('chromium-browser'),
        ('chromium.exe'),
        ('epiphany'),
        ('firefox'),
        ('firefox-esr'),
        ('firefox.exe'),
        ('google chrome'),
        ('google-chrome'),
        ('iexplore.exe'),
        ('librewolf'),
        ('librewolf.exe'),
        ('microsoft edge'),
        ('microsoft-edge'),
        ('microsoftedge.exe'),
        ('msedge'),
        ('msedge.exe'),
        ('opera'),
        ('opera.exe'),
        ('safari'),
        ('vivaldi'),
        ('vivaldi.exe'),
        ('waterfox.exe'),
        ('zen.exe')
)
