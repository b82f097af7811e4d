-- Kept code starts: the SKUs whose code begins with something that was asked for and that many codes begin with, as
-- bitmaps like those of kept.sets. Such a bitmap is true at one snapshot; every change of a code is logged with its
-- transaction, and a reader applies those that its own snapshot sees and the bitmap's did not. So bitmaps can be made
-- and thrown away at any time, and writers need not know which there are.

-- For starts that are not kept, and for making bitmaps. ILIKE compares lower(code) in the same way.
CREATE INDEX skus_lower_code_idx ON skus (environment_id, lower(code) text_pattern_ops);

-- A code that a SKU got or lost; both for a code that changed.
CREATE TABLE kept.code_changes (
  environment_id bigint NOT NULL,
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  position bigint GENERATED ALWAYS AS IDENTITY,
  sku_id bigint NOT NULL,
  code text NOT NULL,
  CONSTRAINT code_changes_pkey PRIMARY KEY (environment_id, transaction_id, position)
);
ALTER TABLE kept.code_changes SET (vacuum_truncate = off);

CREATE TABLE kept.code_starts (
  environment_id bigint NOT NULL,
  start text NOT NULL,
  snapshot pg_snapshot NOT NULL,
  used_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT code_starts_pkey PRIMARY KEY (environment_id, start)
);

CREATE TABLE kept.code_start_bits (
  environment_id bigint NOT NULL,
  start text NOT NULL,
  block bigint NOT NULL,
  bits bit(16384) NOT NULL,
  CONSTRAINT code_start_bits_pkey PRIMARY KEY (environment_id, start, block),
  CONSTRAINT code_start_bits_start_fkey FOREIGN KEY (environment_id, start)
    REFERENCES kept.code_starts (environment_id, start) ON DELETE CASCADE
);
ALTER TABLE kept.code_start_bits ALTER bits SET STORAGE MAIN;

-- 1. Reading.

-- Whether a start is kept. A snapshot of the future comes from another cluster, by way of a dump, and means nothing.
CREATE FUNCTION kept.is_code_start(environment bigint, code_start text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM kept.code_starts AS known
    WHERE known.environment_id = environment AND known.start = code_start
      AND pg_snapshot_xmax(known.snapshot) <= pg_snapshot_xmax(pg_current_snapshot()))
$$;

-- The SKUs of a start that came or went after its bitmaps, a row per block; none for starts that are not kept.
CREATE FUNCTION kept.code_start_changes(environment bigint, code_start text)
RETURNS TABLE (block bigint, bits bit) LANGUAGE sql STABLE AS $$
  SELECT toggled.sku_id >> 14, kept.bits_at((toggled.sku_id & 16383)::integer, 1)
  FROM (
    SELECT log.sku_id
    FROM kept.code_starts AS known
    JOIN kept.code_changes AS log ON log.environment_id = known.environment_id
      AND log.transaction_id >= pg_snapshot_xmin(known.snapshot)
      AND NOT pg_visible_in_snapshot(log.transaction_id, known.snapshot)
      AND starts_with(log.code, known.start)
    WHERE known.environment_id = environment AND known.start = code_start
    GROUP BY log.sku_id HAVING count(*) % 2 = 1
  ) AS toggled
  GROUP BY toggled.sku_id >> 14
$$;

-- The blocks of a start as the caller's snapshot has them.
CREATE FUNCTION kept.code_start_members(environment bigint, code_start text)
RETURNS TABLE (block bigint, bits bit) LANGUAGE sql STABLE AS $$
  SELECT part.block, bit_xor(part.bits)
  FROM (
    SELECT kept_bits.block, kept_bits.bits FROM kept.code_start_bits AS kept_bits
    WHERE kept_bits.environment_id = environment AND kept_bits.start = code_start
    UNION ALL
    SELECT changed.block, changed.bits FROM kept.code_start_changes(environment, code_start) AS changed
  ) AS part
  GROUP BY part.block
$$;

-- 2. Noting changes.

CREATE FUNCTION kept.note_codes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.code_changes (environment_id, sku_id, code)
  SELECT environment_id, id, lower(code) FROM changed_rows;
  RETURN NULL;
END $$;

CREATE FUNCTION kept.note_changed_code() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.code_changes (environment_id, sku_id, code)
  VALUES (OLD.environment_id, OLD.id, lower(OLD.code)), (NEW.environment_id, NEW.id, lower(NEW.code));
  RETURN NULL;
END $$;

CREATE TRIGGER kept_codes_insert AFTER INSERT ON skus REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION kept.note_codes();
CREATE TRIGGER kept_codes_delete AFTER DELETE ON skus REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION kept.note_codes();
CREATE TRIGGER kept_codes_update AFTER UPDATE ON skus FOR EACH ROW
  WHEN ((OLD.environment_id, OLD.id, OLD.code) IS DISTINCT FROM (NEW.environment_id, NEW.id, NEW.code))
  EXECUTE FUNCTION kept.note_changed_code();

-- 3. Upkeep, under the lock of kept.fold.

-- Keeps a start that at least codes_min codes have, from now on; it may be asked for again at any time. The one used
-- longest ago makes room.
CREATE FUNCTION kept.keep_code_start(environment bigint, code_start text, codes_min integer, starts_max integer)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  pattern text := regexp_replace(code_start, '([\\%_])', '\\\1', 'g') || '%';
BEGIN
  PERFORM kept.lock_upkeep();
  DELETE FROM kept.code_starts WHERE NOT kept.is_code_start(environment_id, start);
  UPDATE kept.code_starts SET used_at = now() WHERE environment_id = environment AND start = code_start;
  IF FOUND THEN
    RETURN;
  END IF;
  PERFORM FROM skus WHERE environment_id = environment AND lower(code) LIKE pattern OFFSET codes_min - 1 LIMIT 1;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  DELETE FROM kept.code_starts WHERE environment_id = environment AND start IN (
    SELECT start FROM kept.code_starts WHERE environment_id = environment
    ORDER BY used_at DESC OFFSET greatest(starts_max - 1, 0));
  WITH added AS (
    INSERT INTO kept.code_starts (environment_id, start, snapshot)
    VALUES (environment, code_start, pg_current_snapshot()) RETURNING environment_id, start
  )
  INSERT INTO kept.code_start_bits (environment_id, start, block, bits)
  SELECT added.environment_id, added.start, skus.id >> 14, kept.bits_at((skus.id & 16383)::integer, 1)
  FROM added JOIN skus ON skus.environment_id = environment
    AND lower(skus.code) LIKE pattern
  GROUP BY added.environment_id, added.start, skus.id >> 14;
END $$;

-- Brings every bitmap to the snapshot of now and forgets the log before it. Null when another upkeep is running.
CREATE FUNCTION kept.fold_codes() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  forgotten bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7261002) THEN
    RETURN NULL;
  END IF;
  DELETE FROM kept.code_starts WHERE NOT kept.is_code_start(environment_id, start);
  WITH changed AS MATERIALIZED (
    SELECT known.environment_id, known.start, changes.block, changes.bits
    FROM kept.code_starts AS known
    CROSS JOIN LATERAL kept.code_start_changes(known.environment_id, known.start) AS changes
  ),
  moved AS (
    UPDATE kept.code_starts SET snapshot = pg_current_snapshot()
  )
  INSERT INTO kept.code_start_bits AS known (environment_id, start, block, bits)
  SELECT environment_id, start, block, bits FROM changed
  ON CONFLICT (environment_id, start, block) DO UPDATE SET bits = known.bits # excluded.bits;
  DELETE FROM kept.code_changes WHERE transaction_id < coalesce(
    (SELECT min(pg_snapshot_xmin(snapshot)) FROM kept.code_starts),
    pg_snapshot_xmin(pg_current_snapshot()));
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;

-- Where kept starts and rows disagree, which is nowhere.
CREATE FUNCTION kept.code_start_differences()
RETURNS TABLE (environment_id bigint, start text, block bigint, kept_count bigint, true_count bigint)
LANGUAGE sql STABLE AS $$
  WITH is_kept AS (
    SELECT known.environment_id, known.start, members.block, members.bits
    FROM kept.code_starts AS known
    CROSS JOIN LATERAL kept.code_start_members(known.environment_id, known.start) AS members
  ),
  is_true AS (
    SELECT known.environment_id, known.start, skus.id >> 14 AS block,
      kept.bits_at((skus.id & 16383)::integer, 1) AS bits
    FROM kept.code_starts AS known
    JOIN skus ON skus.environment_id = known.environment_id AND starts_with(lower(skus.code), known.start)
    GROUP BY 1, 2, 3
  )
  SELECT environment_id, start, block, coalesce(bit_count(is_kept.bits), 0), coalesce(bit_count(is_true.bits), 0)
  FROM is_kept FULL JOIN is_true USING (environment_id, start, block)
  WHERE CASE WHEN is_kept.bits IS NULL OR is_true.bits IS NULL
    THEN bit_count(coalesce(is_kept.bits, is_true.bits)) > 0 ELSE is_kept.bits <> is_true.bits END
$$;

-- Kept starts are made again when they are asked for.
CREATE FUNCTION kept.forget_code_starts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kept.lock_upkeep();
  DELETE FROM kept.code_starts;
  RETURN NULL;
END $$;

CREATE TRIGGER kept_codes_truncate AFTER TRUNCATE ON skus
  FOR EACH STATEMENT EXECUTE FUNCTION kept.forget_code_starts();

ALTER TABLE skus ENABLE ALWAYS TRIGGER kept_codes_insert, ENABLE ALWAYS TRIGGER kept_codes_delete,
  ENABLE ALWAYS TRIGGER kept_codes_update, ENABLE ALWAYS TRIGGER kept_codes_truncate;
