"""Front ends: each turns one kind of text into the project's own data. Nothing is re-exported here."""
