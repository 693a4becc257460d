-- Identifiers and keys are bytes: what a client may send can hold what text
-- in a database cannot. A record, as JSON, can always be written as text.

-- Export requests, in the order of their insertion. The record is the whole
-- request; the columns before it are those that are searched.
CREATE TABLE rehearsal_exports (
	sequence  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	id        bytea NOT NULL UNIQUE,
	owner     bytea NOT NULL,
	interface text NOT NULL,
	record    text NOT NULL
);
CREATE INDEX rehearsal_exports_by_owner ON rehearsal_exports (owner, sequence);

-- Token buckets, as JSON.
CREATE TABLE rehearsal_buckets (
	key    bytea PRIMARY KEY,
	bucket text NOT NULL
);

-- Settings: the clocks, the scenarios, the secret that signs links.
CREATE TABLE rehearsal_settings (
	name  text PRIMARY KEY,
	value bytea NOT NULL
);

-- Own data, as batches that are only ever added. The generation of a batch is
-- its number, without gaps.
CREATE TABLE rehearsal_data (
	generation bigint PRIMARY KEY,
	batch      bytea NOT NULL
);

-- One row that counts changes of settings and restored snapshots, and knows the
-- last generation of own data, so that a server learns with one small question
-- whether another one changed something.
CREATE TABLE rehearsal_revision (
	only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
	changes    bigint NOT NULL,
	restores   bigint NOT NULL,
	generation bigint NOT NULL
);
INSERT INTO rehearsal_revision (changes, restores, generation) VALUES (0, 0, 0);
