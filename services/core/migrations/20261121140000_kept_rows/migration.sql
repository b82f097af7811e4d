-- Kept sets of rows of other types (docs/adr/0029-lists-of-other-types.md): which prices, stock items, customers,
-- addresses, orders and line items exist, and which prices are of a list and stock items of a location, as bitmaps over
-- their row numbers. Like those of SKUs (migration kept_sets), in the same tables, noted and folded in the same way.

-- What the sets must hold, from the rows themselves.
CREATE OR REPLACE VIEW kept.truth AS
  SELECT environment_id, 'skus' AS name, 0::bigint AS owner_id, id AS member FROM skus
  UNION ALL
  SELECT environment_id, 'skus_of_price_list', price_list_id, sku_id FROM prices
  UNION ALL
  SELECT environment_id, 'skus_of_stock_location', stock_location_id, sku_id FROM stock_items
  UNION ALL
  SELECT environment_id, 'prices', 0, id FROM prices
  UNION ALL
  SELECT environment_id, 'prices_of_price_list', price_list_id, id FROM prices
  UNION ALL
  SELECT environment_id, 'stock_items', 0, id FROM stock_items
  UNION ALL
  SELECT environment_id, 'stock_items_of_stock_location', stock_location_id, id FROM stock_items
  UNION ALL
  SELECT environment_id, 'customers', 0, id FROM customers
  UNION ALL
  SELECT environment_id, 'addresses', 0, id FROM addresses
  UNION ALL
  SELECT environment_id, 'orders', 0, id FROM orders
  UNION ALL
  SELECT environment_id, 'line_items', 0, id FROM line_items;

-- 1. Prices and stock items are members of three sets each.

CREATE OR REPLACE FUNCTION kept.note_prices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.changes (environment_id, name, owner_id, block, bits)
  SELECT environment_id, 'skus_of_price_list', price_list_id, sku_id >> 14,
    kept.bits_at((sku_id & 16383)::integer, 1)
  FROM changed_rows GROUP BY environment_id, price_list_id, sku_id >> 14
  UNION ALL
  SELECT environment_id, 'prices_of_price_list', price_list_id, id >> 14, kept.bits_at((id & 16383)::integer, 1)
  FROM changed_rows GROUP BY environment_id, price_list_id, id >> 14
  UNION ALL
  SELECT environment_id, 'prices', 0, id >> 14, kept.bits_at((id & 16383)::integer, 1)
  FROM changed_rows GROUP BY environment_id, id >> 14;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION kept.note_stock_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.changes (environment_id, name, owner_id, block, bits)
  SELECT environment_id, 'skus_of_stock_location', stock_location_id, sku_id >> 14,
    kept.bits_at((sku_id & 16383)::integer, 1)
  FROM changed_rows GROUP BY environment_id, stock_location_id, sku_id >> 14
  UNION ALL
  SELECT environment_id, 'stock_items_of_stock_location', stock_location_id, id >> 14,
    kept.bits_at((id & 16383)::integer, 1)
  FROM changed_rows GROUP BY environment_id, stock_location_id, id >> 14
  UNION ALL
  SELECT environment_id, 'stock_items', 0, id >> 14, kept.bits_at((id & 16383)::integer, 1)
  FROM changed_rows GROUP BY environment_id, id >> 14;
  RETURN NULL;
END $$;

-- A row that moves may leave one of its sets and stay in another: a membership it has before and after is none that
-- changed.
CREATE OR REPLACE FUNCTION kept.note_moved_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.changes (environment_id, name, owner_id, block, bits)
  SELECT environment_id, name, owner_id, member >> 14, kept.bits_at((member & 16383)::integer, 1)
  FROM (VALUES
    (OLD.environment_id, 'skus_of_price_list', OLD.price_list_id, OLD.sku_id),
    (NEW.environment_id, 'skus_of_price_list', NEW.price_list_id, NEW.sku_id),
    (OLD.environment_id, 'prices_of_price_list', OLD.price_list_id, OLD.id),
    (NEW.environment_id, 'prices_of_price_list', NEW.price_list_id, NEW.id),
    (OLD.environment_id, 'prices', 0, OLD.id),
    (NEW.environment_id, 'prices', 0, NEW.id)) AS moved (environment_id, name, owner_id, member)
  GROUP BY environment_id, name, owner_id, member HAVING count(*) = 1;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION kept.note_moved_stock_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.changes (environment_id, name, owner_id, block, bits)
  SELECT environment_id, name, owner_id, member >> 14, kept.bits_at((member & 16383)::integer, 1)
  FROM (VALUES
    (OLD.environment_id, 'skus_of_stock_location', OLD.stock_location_id, OLD.sku_id),
    (NEW.environment_id, 'skus_of_stock_location', NEW.stock_location_id, NEW.sku_id),
    (OLD.environment_id, 'stock_items_of_stock_location', OLD.stock_location_id, OLD.id),
    (NEW.environment_id, 'stock_items_of_stock_location', NEW.stock_location_id, NEW.id),
    (OLD.environment_id, 'stock_items', 0, OLD.id),
    (NEW.environment_id, 'stock_items', 0, NEW.id)) AS moved (environment_id, name, owner_id, member)
  GROUP BY environment_id, name, owner_id, member HAVING count(*) = 1;
  RETURN NULL;
END $$;

DROP TRIGGER kept_move ON prices;
CREATE TRIGGER kept_move AFTER UPDATE ON prices FOR EACH ROW
  WHEN ((OLD.environment_id, OLD.price_list_id, OLD.sku_id, OLD.id)
    IS DISTINCT FROM (NEW.environment_id, NEW.price_list_id, NEW.sku_id, NEW.id))
  EXECUTE FUNCTION kept.note_moved_price();
DROP TRIGGER kept_move ON stock_items;
CREATE TRIGGER kept_move AFTER UPDATE ON stock_items FOR EACH ROW
  WHEN ((OLD.environment_id, OLD.stock_location_id, OLD.sku_id, OLD.id)
    IS DISTINCT FROM (NEW.environment_id, NEW.stock_location_id, NEW.sku_id, NEW.id))
  EXECUTE FUNCTION kept.note_moved_stock_item();
ALTER TABLE prices ENABLE ALWAYS TRIGGER kept_move;
ALTER TABLE stock_items ENABLE ALWAYS TRIGGER kept_move;

-- 2. Rows of types with one set, named like the table.

CREATE FUNCTION kept.note_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.changes (environment_id, name, owner_id, block, bits)
  SELECT environment_id, TG_TABLE_NAME, 0, id >> 14, kept.bits_at((id & 16383)::integer, 1)
  FROM changed_rows GROUP BY environment_id, id >> 14;
  RETURN NULL;
END $$;

CREATE FUNCTION kept.note_moved_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept.changes (environment_id, name, owner_id, block, bits)
  SELECT environment_id, TG_TABLE_NAME, 0, id >> 14, kept.bits_at((id & 16383)::integer, 1)
  FROM (VALUES (OLD.environment_id, OLD.id), (NEW.environment_id, NEW.id)) AS moved (environment_id, id)
  GROUP BY environment_id, id;
  RETURN NULL;
END $$;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['customers', 'addresses', 'orders', 'line_items'] LOOP
    EXECUTE format('CREATE TRIGGER kept_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS changed_rows
      FOR EACH STATEMENT EXECUTE FUNCTION kept.note_rows()', name);
    EXECUTE format('CREATE TRIGGER kept_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS changed_rows
      FOR EACH STATEMENT EXECUTE FUNCTION kept.note_rows()', name);
    EXECUTE format('CREATE TRIGGER kept_move AFTER UPDATE ON %I FOR EACH ROW
      WHEN ((OLD.environment_id, OLD.id) IS DISTINCT FROM (NEW.environment_id, NEW.id))
      EXECUTE FUNCTION kept.note_moved_row()', name);
    EXECUTE format('CREATE TRIGGER kept_truncate AFTER TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION kept.note_truncate()', name);
    EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER kept_insert, ENABLE ALWAYS TRIGGER kept_delete,
      ENABLE ALWAYS TRIGGER kept_move, ENABLE ALWAYS TRIGGER kept_truncate', name);
  END LOOP;
END $$;

SELECT kept.rebuild();

-- 3. The order that lists of these types are most often asked for, besides that of their numbers.

CREATE INDEX skus_created_at_idx ON skus (environment_id, created_at, id);
CREATE INDEX prices_created_at_idx ON prices (environment_id, created_at, id);
CREATE INDEX stock_items_created_at_idx ON stock_items (environment_id, created_at, id);
CREATE INDEX customers_created_at_idx ON customers (environment_id, created_at, id);
CREATE INDEX addresses_created_at_idx ON addresses (environment_id, created_at, id);
CREATE INDEX orders_created_at_idx ON orders (environment_id, created_at, id);
CREATE INDEX line_items_created_at_idx ON line_items (environment_id, created_at, id);
