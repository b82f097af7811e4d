-- The order feed (docs/adr/0009-order-feed.md): which orders changed, in the order in which the changes committed.
-- Everything happens in triggers, so that it holds for any writer: the API, a bulk COPY, a person with psql.

-- Changes with the content of the log: a database restored elsewhere has other transaction ids, so that cursors
-- given out before mean nothing (restart_order_feed).
CREATE TABLE order_feed (
  id integer NOT NULL DEFAULT 1
    CONSTRAINT order_feed_id_check CHECK (id = 1),
  epoch text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', ''),
  CONSTRAINT order_feed_pkey PRIMARY KEY (id)
);
INSERT INTO order_feed DEFAULT VALUES;

CREATE SEQUENCE order_changes_position_seq;

-- The last change of each order, in the order of the feed. A deleted order keeps its row.
CREATE TABLE order_changes (
  environment_id bigint NOT NULL,
  order_id bigint NOT NULL,
  version bigint NOT NULL,
  is_deleted boolean NOT NULL DEFAULT false,
  transaction_id bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
  position bigint NOT NULL DEFAULT nextval('order_changes_position_seq'),
  CONSTRAINT order_changes_pkey PRIMARY KEY (environment_id, order_id),
  CONSTRAINT order_changes_environment_fkey FOREIGN KEY (environment_id) REFERENCES environments (id),
  CONSTRAINT order_changes_transaction_id_position_key UNIQUE (transaction_id, position)
);

-- 1. Versions. A transaction raises the version of an order once, however often it changes it: readers only ever see
-- the committed result. The row lock of the update is what makes versions follow the order of commits.

CREATE FUNCTION raise_order_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  this_transaction bigint := pg_current_xact_id()::text::bigint;
BEGIN
  NEW.version := OLD.version + CASE WHEN OLD.changed_in = this_transaction THEN 0 ELSE 1 END;
  NEW.changed_in := this_transaction;
  RETURN NEW;
END $$;

CREATE TRIGGER b_raise_version BEFORE UPDATE ON orders
  FOR EACH ROW EXECUTE FUNCTION raise_order_version();

-- 2. The log. One row per order: the newest change replaces the one before, so there is nothing to compact.

CREATE FUNCTION record_order_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_changes AS known (environment_id, order_id, version, is_deleted)
  SELECT environment_id, id, version, false FROM changed_rows
  ON CONFLICT (environment_id, order_id) DO UPDATE
    SET version = excluded.version, transaction_id = excluded.transaction_id, position = excluded.position
    WHERE known.transaction_id <> excluded.transaction_id;
  PERFORM pg_notify('order_changes', '');
  RETURN NULL;
END $$;

CREATE FUNCTION record_order_deletions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_changes (environment_id, order_id, version, is_deleted)
  SELECT environment_id, id, version + 1, true FROM changed_rows
  ON CONFLICT (environment_id, order_id) DO UPDATE
    SET version = excluded.version, is_deleted = true,
        transaction_id = excluded.transaction_id, position = excluded.position;
  PERFORM pg_notify('order_changes', '');
  RETURN NULL;
END $$;

CREATE TRIGGER record_insert AFTER INSERT ON orders REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_order_changes();
CREATE TRIGGER record_update AFTER UPDATE ON orders REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_order_changes();
CREATE TRIGGER record_delete AFTER DELETE ON orders REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_order_deletions();

CREATE FUNCTION refuse_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'orders cannot be truncated, because the order feed would not see it; use DELETE';
END $$;

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON orders
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

-- 3. What an order's document contains besides the order. Orders are locked in the order of their ids, so that two
-- writers that touch the same orders do not wait for each other in a circle.

CREATE FUNCTION touch_orders(environment_ids bigint[], order_ids bigint[], is_own_content boolean) RETURNS void
LANGUAGE sql AS $$
  UPDATE orders SET version = orders.version + 1,
    updated_at = CASE WHEN is_own_content THEN now() ELSE orders.updated_at END
  FROM (
    SELECT orders.environment_id, orders.id
    FROM (SELECT DISTINCT * FROM unnest(environment_ids, order_ids) AS pairs (environment_id, id)) AS touched
    JOIN orders USING (environment_id, id)
    WHERE orders.changed_in <> pg_current_xact_id()::text::bigint
    ORDER BY orders.environment_id, orders.id
    FOR NO KEY UPDATE OF orders
  ) AS locked
  WHERE orders.environment_id = locked.environment_id AND orders.id = locked.id
$$;

-- Arguments of the trigger: a query over "changed" that gives environment_id and order_id, and whether the rows are
-- the order's own content, so that its updated_at moves with them.
CREATE FUNCTION touch_orders_of_changed_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'WITH changed AS (%s), touched AS (%s)
     SELECT touch_orders(array_agg(environment_id), array_agg(order_id), %L) FROM touched HAVING count(*) > 0',
    CASE TG_OP WHEN 'UPDATE' THEN 'TABLE changed_rows UNION ALL TABLE rows_before' ELSE 'TABLE changed_rows' END,
    TG_ARGV[0],
    TG_ARGV[1]
  );
  RETURN NULL;
END $$;

CREATE TRIGGER touch_orders_insert AFTER INSERT ON line_items REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed', 'true');
CREATE TRIGGER touch_orders_update AFTER UPDATE ON line_items REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed', 'true');
CREATE TRIGGER touch_orders_delete AFTER DELETE ON line_items REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed', 'true');

CREATE TRIGGER touch_orders_insert AFTER INSERT ON shipments REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed', 'true');
CREATE TRIGGER touch_orders_update AFTER UPDATE ON shipments REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed', 'true');
CREATE TRIGGER touch_orders_delete AFTER DELETE ON shipments REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed', 'true');

CREATE TRIGGER touch_orders_insert AFTER INSERT ON refunds REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed', 'true');
CREATE TRIGGER touch_orders_update AFTER UPDATE ON refunds REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed', 'true');
CREATE TRIGGER touch_orders_delete AFTER DELETE ON refunds REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed', 'true');

CREATE TRIGGER touch_orders_insert AFTER INSERT ON returns REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed', 'true');
CREATE TRIGGER touch_orders_update AFTER UPDATE ON returns REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed', 'true');
CREATE TRIGGER touch_orders_delete AFTER DELETE ON returns REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed', 'true');

CREATE TRIGGER touch_orders_insert AFTER INSERT ON resource_errors REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed WHERE order_id IS NOT NULL', 'false');
CREATE TRIGGER touch_orders_update AFTER UPDATE ON resource_errors REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed WHERE order_id IS NOT NULL', 'false');
CREATE TRIGGER touch_orders_delete AFTER DELETE ON resource_errors REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed WHERE order_id IS NOT NULL', 'false');

CREATE TRIGGER touch_orders_insert AFTER INSERT ON line_item_options REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, line_items.order_id FROM changed
     JOIN line_items USING (environment_id) WHERE line_items.id = changed.line_item_id', 'true');
CREATE TRIGGER touch_orders_update AFTER UPDATE ON line_item_options REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, line_items.order_id FROM changed
     JOIN line_items USING (environment_id) WHERE line_items.id = changed.line_item_id', 'true');
CREATE TRIGGER touch_orders_delete AFTER DELETE ON line_item_options REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, line_items.order_id FROM changed
     JOIN line_items USING (environment_id) WHERE line_items.id = changed.line_item_id', 'true');

CREATE TRIGGER touch_orders_insert AFTER INSERT ON stock_line_items REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, shipments.order_id FROM changed
     JOIN shipments USING (environment_id) WHERE shipments.id = changed.shipment_id', 'true');
CREATE TRIGGER touch_orders_update AFTER UPDATE ON stock_line_items REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, shipments.order_id FROM changed
     JOIN shipments USING (environment_id) WHERE shipments.id = changed.shipment_id', 'true');
CREATE TRIGGER touch_orders_delete AFTER DELETE ON stock_line_items REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, shipments.order_id FROM changed
     JOIN shipments USING (environment_id) WHERE shipments.id = changed.shipment_id', 'true');

CREATE TRIGGER touch_orders_insert AFTER INSERT ON taggings REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed WHERE order_id IS NOT NULL
     UNION ALL SELECT environment_id, shipments.order_id FROM changed
     JOIN shipments USING (environment_id) WHERE shipments.id = changed.shipment_id', 'false');
CREATE TRIGGER touch_orders_update AFTER UPDATE ON taggings REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed WHERE order_id IS NOT NULL
     UNION ALL SELECT environment_id, shipments.order_id FROM changed
     JOIN shipments USING (environment_id) WHERE shipments.id = changed.shipment_id', 'false');
CREATE TRIGGER touch_orders_delete AFTER DELETE ON taggings REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, order_id FROM changed WHERE order_id IS NOT NULL
     UNION ALL SELECT environment_id, shipments.order_id FROM changed
     JOIN shipments USING (environment_id) WHERE shipments.id = changed.shipment_id', 'false');

CREATE TRIGGER touch_orders_update AFTER UPDATE ON tags REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, taggings.order_id FROM changed
     JOIN taggings USING (environment_id) WHERE taggings.tag_id = changed.id AND taggings.order_id IS NOT NULL
     UNION ALL SELECT environment_id, shipments.order_id FROM changed
     JOIN taggings USING (environment_id) JOIN shipments USING (environment_id)
     WHERE taggings.tag_id = changed.id AND shipments.id = taggings.shipment_id', 'false');

CREATE TRIGGER touch_orders_update AFTER UPDATE ON addresses REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_changed_rows(
    'SELECT environment_id, orders.id AS order_id FROM changed
     JOIN orders USING (environment_id) WHERE orders.shipping_address_id = changed.id
     UNION ALL SELECT environment_id, orders.id FROM changed
     JOIN orders USING (environment_id) WHERE orders.billing_address_id = changed.id', 'true');

CREATE FUNCTION count_order_errors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET errors_count = counted.errors
  FROM (
    SELECT touched.environment_id, touched.order_id,
      (SELECT count(*) FROM resource_errors
       WHERE resource_errors.environment_id = touched.environment_id
         AND resource_errors.order_id = touched.order_id) AS errors
    FROM (SELECT DISTINCT environment_id, order_id FROM changed_rows WHERE order_id IS NOT NULL) AS touched
  ) AS counted
  WHERE orders.environment_id = counted.environment_id AND orders.id = counted.order_id
    AND orders.errors_count <> counted.errors;
  RETURN NULL;
END $$;

CREATE TRIGGER z_count_errors_insert AFTER INSERT ON resource_errors REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_order_errors();
CREATE TRIGGER z_count_errors_delete AFTER DELETE ON resource_errors REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_order_errors();

-- Of a customer only some columns are in the document: total_orders_count changes with every order placed.
CREATE FUNCTION touch_orders_of_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM touch_orders(array_agg(orders.environment_id), array_agg(orders.id), false)
  FROM changed_rows AS after
  JOIN rows_before AS before USING (environment_id, id)
  JOIN orders ON orders.environment_id = after.environment_id AND orders.customer_id = after.id
  WHERE (after.email, after.reference, after.reference_origin, after.customer_group_id)
    IS DISTINCT FROM (before.email, before.reference, before.reference_origin, before.customer_group_id)
  HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE TRIGGER touch_orders AFTER UPDATE ON customers
  REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION touch_orders_of_customers();

-- 4. Names that many orders share. Renaming a market must not rewrite a million orders in one transaction: the rename
-- is noted here, and refresh_orders works it off in steps.

CREATE TABLE order_refreshes (
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  environment_id bigint NOT NULL,
  record_type text NOT NULL,
  record_id bigint NOT NULL,
  after_order_id bigint NOT NULL DEFAULT 0,
  CONSTRAINT order_refreshes_pkey PRIMARY KEY (environment_id, id),
  CONSTRAINT order_refreshes_environment_fkey FOREIGN KEY (environment_id) REFERENCES environments (id)
);

CREATE FUNCTION note_order_refreshes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_refreshes (environment_id, record_type, record_id)
  SELECT after.environment_id, TG_TABLE_NAME, after.id
  FROM changed_rows AS after JOIN rows_before AS before USING (environment_id, id)
  WHERE (after.name, after.reference, after.reference_origin)
    IS DISTINCT FROM (before.name, before.reference, before.reference_origin);
  PERFORM pg_notify('order_refreshes', '') WHERE FOUND;
  RETURN NULL;
END $$;

CREATE FUNCTION note_environment_refreshes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_refreshes (environment_id, record_type, record_id)
  SELECT after.id, TG_TABLE_NAME, after.id
  FROM changed_rows AS after JOIN rows_before AS before USING (id)
  WHERE (after.slug, after.name) IS DISTINCT FROM (before.slug, before.name);
  PERFORM pg_notify('order_refreshes', '') WHERE FOUND;
  RETURN NULL;
END $$;

CREATE TRIGGER note_refreshes AFTER UPDATE ON environments
  REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_environment_refreshes();
CREATE TRIGGER note_refreshes AFTER UPDATE ON markets
  REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_order_refreshes();
CREATE TRIGGER note_refreshes AFTER UPDATE ON customer_groups
  REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_order_refreshes();
CREATE TRIGGER note_refreshes AFTER UPDATE ON payment_methods
  REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_order_refreshes();
CREATE TRIGGER note_refreshes AFTER UPDATE ON stock_locations
  REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_order_refreshes();
CREATE TRIGGER note_refreshes AFTER UPDATE ON shipping_methods
  REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_order_refreshes();
CREATE TRIGGER note_refreshes AFTER UPDATE ON shipping_categories
  REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_order_refreshes();

-- Raises the version of up to rows_max orders whose document shows a renamed record; gives how many it looked at,
-- 0 when nothing is left. Several workers may call it at once.
CREATE FUNCTION refresh_orders(rows_max integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  job order_refreshes%ROWTYPE;
  ids bigint[];
BEGIN
  SELECT * INTO job FROM order_refreshes ORDER BY environment_id, id LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  SELECT array_agg(id ORDER BY id) INTO ids FROM (
    SELECT id FROM orders
    WHERE environment_id = job.environment_id AND id > job.after_order_id AND CASE job.record_type
      WHEN 'environments' THEN true
      WHEN 'markets' THEN market_id = job.record_id
      WHEN 'payment_methods' THEN payment_method_id = job.record_id
      WHEN 'customer_groups' THEN customer_id IN (
        SELECT id FROM customers WHERE environment_id = job.environment_id AND customer_group_id = job.record_id)
      WHEN 'stock_locations' THEN id IN (
        SELECT order_id FROM shipments WHERE environment_id = job.environment_id AND stock_location_id = job.record_id)
      WHEN 'shipping_methods' THEN id IN (
        SELECT order_id FROM shipments WHERE environment_id = job.environment_id AND shipping_method_id = job.record_id)
      WHEN 'shipping_categories' THEN id IN (
        SELECT order_id FROM shipments WHERE environment_id = job.environment_id AND shipping_category_id = job.record_id)
      END
    ORDER BY id LIMIT rows_max
  ) AS page;
  IF ids IS NULL THEN
    DELETE FROM order_refreshes WHERE environment_id = job.environment_id AND id = job.id;
    RETURN 1;
  END IF;
  PERFORM touch_orders(array_fill(job.environment_id, ARRAY[cardinality(ids)]), ids, false);
  UPDATE order_refreshes SET after_order_id = ids[cardinality(ids)]
  WHERE environment_id = job.environment_id AND id = job.id;
  RETURN cardinality(ids);
END $$;

-- 5. After a logical restore into another cluster, whose transaction ids are other ones.
CREATE FUNCTION restart_order_feed() RETURNS void LANGUAGE sql AS $$
  UPDATE order_feed SET epoch = replace(gen_random_uuid()::text, '-', '');
  UPDATE orders SET changed_in = 0;
  UPDATE order_changes SET transaction_id = pg_current_xact_id()::text::bigint,
    position = nextval('order_changes_position_seq')
  WHERE is_deleted;
$$;
