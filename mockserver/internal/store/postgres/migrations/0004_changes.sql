-- Counts the changes of records, so that a server can keep those in memory that it
-- has seen last: it asks for the counts with each request. Records are counted by
-- their slot, which their identifier chooses: those who change different records
-- hardly ever wait for each other, and most of what is kept stays valid.
CREATE TABLE rehearsal_changes (
	slot    int PRIMARY KEY,
	changes bigint NOT NULL
);
INSERT INTO rehearsal_changes (slot, changes) SELECT slot, 0 FROM generate_series(0, 63) AS slot;

CREATE FUNCTION rehearsal_slot(id bytea) RETURNS int LANGUAGE sql IMMUTABLE
	AS $$ SELECT get_byte(decode(md5($1), 'hex'), 0) & 63 $$;

-- A trigger counts whatever changes a record, also an older program or a person. The
-- slots are locked in their order: two that change several cannot wait for each other.
CREATE FUNCTION rehearsal_count_changes() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	IF TG_OP = 'TRUNCATE' THEN
		PERFORM 1 FROM rehearsal_changes ORDER BY slot FOR UPDATE;
		UPDATE rehearsal_changes SET changes = changes + 1;
		RETURN NULL;
	END IF;
	PERFORM 1 FROM rehearsal_changes WHERE slot IN (SELECT rehearsal_slot(id) FROM changed) ORDER BY slot FOR UPDATE;
	UPDATE rehearsal_changes SET changes = changes + 1 WHERE slot IN (SELECT rehearsal_slot(id) FROM changed);
	RETURN NULL;
END
$$;
CREATE TRIGGER rehearsal_count_updates AFTER UPDATE ON rehearsal_exports
	REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rehearsal_count_changes();
CREATE TRIGGER rehearsal_count_deletions AFTER DELETE ON rehearsal_exports
	REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rehearsal_count_changes();
CREATE TRIGGER rehearsal_count_truncations AFTER TRUNCATE ON rehearsal_exports
	FOR EACH STATEMENT EXECUTE FUNCTION rehearsal_count_changes();
