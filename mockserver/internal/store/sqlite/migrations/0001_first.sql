-- Export requests, in the order of their insertion. The record is the whole
-- request as JSON; the columns before it are those that are searched.
CREATE TABLE exports (
	sequence  INTEGER PRIMARY KEY,
	id        TEXT NOT NULL UNIQUE,
	owner     TEXT NOT NULL,
	interface TEXT NOT NULL,
	record    TEXT NOT NULL
) STRICT;

-- An index holds the sequence as well: it lists an owner's records in order.
CREATE INDEX exports_by_owner ON exports (owner);

-- Token buckets, as JSON.
CREATE TABLE buckets (
	key    TEXT NOT NULL PRIMARY KEY,
	bucket TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Settings: the state of the clock, the secret that signs links.
CREATE TABLE settings (
	name  TEXT NOT NULL PRIMARY KEY,
	value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
