-- Which transactions changed what lists of SKUs are made from, so that an answer can be given again as long as nothing
-- did (docs/adr/0018-lists-at-any-size.md). A reader that knows a snapshot asks whether its own sees any other.

CREATE TABLE kept.catalogue_changes (
  environment_id bigint NOT NULL,
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT catalogue_changes_pkey PRIMARY KEY (environment_id, transaction_id)
);
ALTER TABLE kept.catalogue_changes SET (vacuum_truncate = off);

-- Transactions before "complete_from" were forgotten; those before "decided_at" can be, the next time.
CREATE TABLE kept.catalogue_log (
  id integer NOT NULL DEFAULT 1 CONSTRAINT catalogue_log_id_check CHECK (id = 1),
  complete_from xid8 NOT NULL DEFAULT '0',
  decided_at xid8 NOT NULL DEFAULT '0',
  CONSTRAINT catalogue_log_pkey PRIMARY KEY (id)
);
INSERT INTO kept.catalogue_log DEFAULT VALUES;

-- Whether nothing changed since a snapshot; false also when that is not known any more. And the caller's snapshot.
CREATE FUNCTION kept.look_at_catalogue(environment bigint, since pg_snapshot)
RETURNS TABLE (is_unchanged boolean, snapshot text) LANGUAGE sql STABLE AS $$
  SELECT since IS NOT NULL
    AND pg_snapshot_xmax(since) <= pg_snapshot_xmax(pg_current_snapshot())
    AND pg_snapshot_xmin(since) >= (SELECT complete_from FROM kept.catalogue_log)
    AND NOT EXISTS (
      SELECT FROM kept.catalogue_changes AS log
      WHERE log.environment_id = environment AND log.transaction_id >= pg_snapshot_xmin(since)
        AND NOT pg_visible_in_snapshot(log.transaction_id, since)),
    pg_current_snapshot()::text
$$;

CREATE FUNCTION kept.note_catalogue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.catalogue_changes (environment_id)
  SELECT DISTINCT environment_id FROM changed_rows ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION kept.note_environment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.catalogue_changes (environment_id) SELECT id FROM changed_rows ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION kept.note_truncated_catalogue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.catalogue_changes (environment_id) SELECT id FROM environments ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

-- Forgets what was decided before the last call, so a snapshot is good for the time between two calls at least.
CREATE FUNCTION kept.forget_catalogue_changes() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(7261002) THEN
    RETURN;
  END IF;
  UPDATE kept.catalogue_log SET complete_from = decided_at, decided_at = pg_snapshot_xmin(pg_current_snapshot());
  DELETE FROM kept.catalogue_changes WHERE transaction_id < (SELECT complete_from FROM kept.catalogue_log);
END $$;

CREATE TRIGGER catalogue_update AFTER UPDATE ON environments REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION kept.note_environment();
ALTER TABLE environments ENABLE ALWAYS TRIGGER catalogue_update;

-- The rows of SKUs, what makes them sellable, and what a market, store or stock location in scope refers to.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['skus', 'prices', 'stock_items', 'markets', 'price_lists', 'inventory_models',
    'inventory_stock_locations', 'stock_locations', 'stores'] LOOP
    EXECUTE format('CREATE TRIGGER catalogue_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS changed_rows
      FOR EACH STATEMENT EXECUTE FUNCTION kept.note_catalogue()', name);
    EXECUTE format('CREATE TRIGGER catalogue_update AFTER UPDATE ON %I REFERENCING NEW TABLE AS changed_rows
      FOR EACH STATEMENT EXECUTE FUNCTION kept.note_catalogue()', name);
    EXECUTE format('CREATE TRIGGER catalogue_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS changed_rows
      FOR EACH STATEMENT EXECUTE FUNCTION kept.note_catalogue()', name);
    EXECUTE format('CREATE TRIGGER catalogue_truncate AFTER TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION kept.note_truncated_catalogue()', name);
    EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER catalogue_insert, ENABLE ALWAYS TRIGGER catalogue_update,
      ENABLE ALWAYS TRIGGER catalogue_delete, ENABLE ALWAYS TRIGGER catalogue_truncate', name);
  END LOOP;
END $$;
