"""What is answered, as plain objects: nothing here knows HTTP."""
