"""What papers measured, measured again here: which cells it takes, their tables, their findings.

All of it is arithmetic on runs that the usual campaigns measured; `leadline study` starts those.
"""
