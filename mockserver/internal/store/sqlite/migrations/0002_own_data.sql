-- Own data, as batches that are only ever added. The generation of a batch is
-- its number, without gaps: two writers of one number are told apart by the
-- key.
CREATE TABLE data (
	generation INTEGER PRIMARY KEY,
	batch      BLOB NOT NULL
) STRICT;
