"""What belongs to the user: export, import, wipe, and the profile that holds it all."""
