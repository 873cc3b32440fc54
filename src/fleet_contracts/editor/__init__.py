"""What editors are told: schemas of authored files, and which files they are for."""
