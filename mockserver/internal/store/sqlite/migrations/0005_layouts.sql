-- How the files of exports are laid out. They go with their exports.
CREATE TABLE IF NOT EXISTS layouts (
	sequence INTEGER PRIMARY KEY,
	layout   BLOB NOT NULL
) STRICT;

CREATE TRIGGER IF NOT EXISTS layouts_go AFTER DELETE ON exports BEGIN
	DELETE FROM layouts WHERE sequence = old.sequence;
END;
