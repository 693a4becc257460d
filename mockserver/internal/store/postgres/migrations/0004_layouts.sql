-- How the files of exports are laid out. They go with their exports. A row without a
-- layout is a claim: its owner makes the layout until then.
CREATE TABLE IF NOT EXISTS rehearsal_layouts (
	sequence bigint PRIMARY KEY REFERENCES rehearsal_exports ON DELETE CASCADE,
	owner    bytea NOT NULL,
	until    timestamptz NOT NULL,
	layout   bytea
);
