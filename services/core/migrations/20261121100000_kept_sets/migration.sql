-- Kept sets (docs/adr/0018-lists-at-any-size.md): which SKUs exist, have a price in a price list and have a stock item in a
-- location, as bitmaps over row numbers, so that a page and its count are found without looking at the rows before it.
-- Everything is noted by triggers in the transaction of the change, so that it holds for any writer, COPY included.

CREATE SCHEMA kept;

-- A block is 16,384 consecutive row numbers, one bit each, from the left; number >> 14 is the block, number & 16383
-- the bit. One row fits a page with room for three; bitmaps of few rows are stored compressed.
DO $$ BEGIN
  EXECUTE format(
    'CREATE AGGREGATE kept.bits_at(integer, integer) (SFUNC = set_bit, STYPE = bit, INITCOND = %L)',
    repeat('0', 16384));
END $$;

CREATE TABLE kept.sets (
  environment_id bigint NOT NULL,
  name text NOT NULL,
  owner_id bigint NOT NULL,
  block bigint NOT NULL,
  bits bit(16384) NOT NULL,
  CONSTRAINT sets_pkey PRIMARY KEY (environment_id, name, owner_id, block)
);
ALTER TABLE kept.sets ALTER bits SET STORAGE MAIN;
ALTER TABLE kept.sets SET (fillfactor = 50);

-- What was added to or taken from sets since: bits that changed. A set is the exclusive or of its row in "sets" and of
-- all of these, in any order, so writers only ever append and never wait for each other. kept.fold moves them over.
CREATE TABLE kept.changes (
  environment_id bigint NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  owner_id bigint NOT NULL,
  block bigint NOT NULL,
  bits bit(16384) NOT NULL,
  CONSTRAINT changes_pkey PRIMARY KEY (environment_id, position)
);
ALTER TABLE kept.changes ALTER bits SET STORAGE MAIN;
ALTER TABLE kept.changes SET (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_threshold = -1, vacuum_truncate = off);

-- 1. Reading.

-- The blocks of some sets of one name as the caller's snapshot has them.
CREATE FUNCTION kept.members(environment bigint, set_name text, owners bigint[])
RETURNS TABLE (owner_id bigint, block bigint, bits bit) LANGUAGE sql STABLE AS $$
  SELECT part.owner_id, part.block, bit_xor(part.bits)
  FROM (
    SELECT sets.owner_id, sets.block, sets.bits FROM kept.sets
    WHERE sets.environment_id = environment AND sets.name = set_name AND sets.owner_id = ANY(owners)
    UNION ALL
    SELECT changes.owner_id, changes.block, changes.bits FROM kept.changes
    WHERE changes.environment_id = environment AND changes.name = set_name AND changes.owner_id = ANY(owners)
  ) AS part
  GROUP BY part.owner_id, part.block
$$;

-- What the sets must hold, from the rows themselves.
CREATE VIEW kept.truth AS
  SELECT environment_id, 'skus' AS name, 0::bigint AS owner_id, id AS member FROM skus
  UNION ALL
  SELECT environment_id, 'skus_of_price_list', price_list_id, sku_id FROM prices
  UNION ALL
  SELECT environment_id, 'skus_of_stock_location', stock_location_id, sku_id FROM stock_items;

-- 2. Noting changes.

CREATE FUNCTION kept.note_skus() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.changes (environment_id, name, owner_id, block, bits)
  SELECT environment_id, 'skus', 0, id >> 14, kept.bits_at((id & 16383)::integer, 1)
  FROM changed_rows GROUP BY environment_id, id >> 14;
  RETURN NULL;
END $$;

CREATE FUNCTION kept.note_prices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.changes (environment_id, name, owner_id, block, bits)
  SELECT environment_id, 'skus_of_price_list', price_list_id, sku_id >> 14,
    kept.bits_at((sku_id & 16383)::integer, 1)
  FROM changed_rows GROUP BY environment_id, price_list_id, sku_id >> 14;
  RETURN NULL;
END $$;

CREATE FUNCTION kept.note_stock_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.changes (environment_id, name, owner_id, block, bits)
  SELECT environment_id, 'skus_of_stock_location', stock_location_id, sku_id >> 14,
    kept.bits_at((sku_id & 16383)::integer, 1)
  FROM changed_rows GROUP BY environment_id, stock_location_id, sku_id >> 14;
  RETURN NULL;
END $$;

-- A row that moves to another set is rare, and the condition costs nothing while it does not.
CREATE FUNCTION kept.note_moved_sku() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.changes (environment_id, name, owner_id, block, bits)
  SELECT environment_id, 'skus', 0, id >> 14, kept.bits_at((id & 16383)::integer, 1)
  FROM (VALUES (OLD.environment_id, OLD.id), (NEW.environment_id, NEW.id)) AS moved (environment_id, id)
  GROUP BY environment_id, id;
  RETURN NULL;
END $$;

CREATE FUNCTION kept.note_moved_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.changes (environment_id, name, owner_id, block, bits)
  SELECT environment_id, 'skus_of_price_list', owner_id, sku_id >> 14, kept.bits_at((sku_id & 16383)::integer, 1)
  FROM (VALUES (OLD.environment_id, OLD.price_list_id, OLD.sku_id),
    (NEW.environment_id, NEW.price_list_id, NEW.sku_id)) AS moved (environment_id, owner_id, sku_id)
  GROUP BY environment_id, owner_id, sku_id;
  RETURN NULL;
END $$;

CREATE FUNCTION kept.note_moved_stock_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.changes (environment_id, name, owner_id, block, bits)
  SELECT environment_id, 'skus_of_stock_location', owner_id, sku_id >> 14,
    kept.bits_at((sku_id & 16383)::integer, 1)
  FROM (VALUES (OLD.environment_id, OLD.stock_location_id, OLD.sku_id),
    (NEW.environment_id, NEW.stock_location_id, NEW.sku_id)) AS moved (environment_id, owner_id, sku_id)
  GROUP BY environment_id, owner_id, sku_id;
  RETURN NULL;
END $$;

CREATE TRIGGER kept_insert AFTER INSERT ON skus REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION kept.note_skus();
CREATE TRIGGER kept_delete AFTER DELETE ON skus REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION kept.note_skus();
CREATE TRIGGER kept_move AFTER UPDATE ON skus FOR EACH ROW
  WHEN ((OLD.environment_id, OLD.id) IS DISTINCT FROM (NEW.environment_id, NEW.id))
  EXECUTE FUNCTION kept.note_moved_sku();

CREATE TRIGGER kept_insert AFTER INSERT ON prices REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION kept.note_prices();
CREATE TRIGGER kept_delete AFTER DELETE ON prices REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION kept.note_prices();
CREATE TRIGGER kept_move AFTER UPDATE ON prices FOR EACH ROW
  WHEN ((OLD.environment_id, OLD.price_list_id, OLD.sku_id)
    IS DISTINCT FROM (NEW.environment_id, NEW.price_list_id, NEW.sku_id))
  EXECUTE FUNCTION kept.note_moved_price();

CREATE TRIGGER kept_insert AFTER INSERT ON stock_items REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION kept.note_stock_items();
CREATE TRIGGER kept_delete AFTER DELETE ON stock_items REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION kept.note_stock_items();
CREATE TRIGGER kept_move AFTER UPDATE ON stock_items FOR EACH ROW
  WHEN ((OLD.environment_id, OLD.stock_location_id, OLD.sku_id)
    IS DISTINCT FROM (NEW.environment_id, NEW.stock_location_id, NEW.sku_id))
  EXECUTE FUNCTION kept.note_moved_stock_item();

-- 3. Upkeep. Writers and readers never wait for it: it locks only rows of "sets", which no writer touches, and changes
-- that were committed. One upkeep runs at a time.

CREATE FUNCTION kept.lock_upkeep() RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(7261002)
$$;

-- Moves changes into the sets, oldest first; gives how many, or null when another upkeep is running.
CREATE FUNCTION kept.fold(changes_max integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  folded bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7261002) THEN
    RETURN NULL;
  END IF;
  WITH chosen AS MATERIALIZED (
    SELECT environment_id, position FROM kept.changes ORDER BY environment_id, position LIMIT changes_max
  ),
  taken AS (
    DELETE FROM kept.changes USING chosen
    WHERE changes.environment_id = chosen.environment_id AND changes.position = chosen.position
    RETURNING changes.*
  ),
  merged AS (
    INSERT INTO kept.sets (environment_id, name, owner_id, block, bits)
    SELECT environment_id, name, owner_id, block, bit_xor(bits) FROM taken
    GROUP BY environment_id, name, owner_id, block
    ON CONFLICT (environment_id, name, owner_id, block) DO UPDATE SET bits = sets.bits # excluded.bits
  )
  SELECT count(*) INTO folded FROM taken;
  RETURN folded;
END $$;

-- Where kept sets and rows disagree, which is nowhere: a block per row, with both counts.
CREATE FUNCTION kept.differences()
RETURNS TABLE (environment_id bigint, name text, owner_id bigint, block bigint, kept_count bigint, true_count bigint)
LANGUAGE sql STABLE AS $$
  WITH is_kept AS (
    SELECT part.environment_id, part.name, part.owner_id, part.block, bit_xor(part.bits) AS bits
    FROM (
      SELECT environment_id, name, owner_id, block, bits FROM kept.sets
      UNION ALL SELECT environment_id, name, owner_id, block, bits FROM kept.changes
    ) AS part GROUP BY 1, 2, 3, 4
  ),
  is_true AS (
    SELECT environment_id, name, owner_id, member >> 14 AS block, kept.bits_at((member & 16383)::integer, 1) AS bits
    FROM kept.truth GROUP BY 1, 2, 3, 4
  )
  SELECT environment_id, name, owner_id, block,
    coalesce(bit_count(is_kept.bits), 0), coalesce(bit_count(is_true.bits), 0)
  FROM is_kept FULL JOIN is_true USING (environment_id, name, owner_id, block)
  WHERE CASE WHEN is_kept.bits IS NULL OR is_true.bits IS NULL
    THEN bit_count(coalesce(is_kept.bits, is_true.bits)) > 0 ELSE is_kept.bits <> is_true.bits END
$$;

-- Makes the sets anew from the rows, while others read and write: one statement, so one snapshot of rows and changes.
CREATE FUNCTION kept.rebuild() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kept.lock_upkeep();
  INSERT INTO kept.sets (environment_id, name, owner_id, block, bits)
  SELECT environment_id, name, owner_id, block, bit_xor(bits)
  FROM (
    SELECT environment_id, name, owner_id, member >> 14 AS block, kept.bits_at((member & 16383)::integer, 1) AS bits
    FROM kept.truth GROUP BY 1, 2, 3, 4
    UNION ALL SELECT environment_id, name, owner_id, block, bits FROM kept.changes
    UNION ALL SELECT environment_id, name, owner_id, block, bits # bits FROM kept.sets
  ) AS part GROUP BY 1, 2, 3, 4
  ON CONFLICT (environment_id, name, owner_id, block) DO UPDATE SET bits = excluded.bits;
END $$;

-- TRUNCATE fires no trigger that sees rows; it locks out everybody else, so a recount is exact.
CREATE FUNCTION kept.note_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kept.rebuild();
  RETURN NULL;
END $$;

CREATE TRIGGER kept_truncate AFTER TRUNCATE ON skus FOR EACH STATEMENT EXECUTE FUNCTION kept.note_truncate();
CREATE TRIGGER kept_truncate AFTER TRUNCATE ON prices FOR EACH STATEMENT EXECUTE FUNCTION kept.note_truncate();
CREATE TRIGGER kept_truncate AFTER TRUNCATE ON stock_items FOR EACH STATEMENT EXECUTE FUNCTION kept.note_truncate();

-- Also for writers that switch triggers off with session_replication_role.
ALTER TABLE skus ENABLE ALWAYS TRIGGER kept_insert, ENABLE ALWAYS TRIGGER kept_delete,
  ENABLE ALWAYS TRIGGER kept_move, ENABLE ALWAYS TRIGGER kept_truncate;
ALTER TABLE prices ENABLE ALWAYS TRIGGER kept_insert, ENABLE ALWAYS TRIGGER kept_delete,
  ENABLE ALWAYS TRIGGER kept_move, ENABLE ALWAYS TRIGGER kept_truncate;
ALTER TABLE stock_items ENABLE ALWAYS TRIGGER kept_insert, ENABLE ALWAYS TRIGGER kept_delete,
  ENABLE ALWAYS TRIGGER kept_move, ENABLE ALWAYS TRIGGER kept_truncate;

SELECT kept.rebuild();
