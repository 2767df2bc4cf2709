"""The verbs, a file each: its name is the verb's, and its `verb` the command. A verb is imported when it is called."""
