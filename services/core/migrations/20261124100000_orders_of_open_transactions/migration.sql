-- A customer or an address that changes touches its orders in the same transaction (migration order_feed, part 3), but only
-- those that it sees. An order of a transaction that is still open then is not among them, and its document, read when that
-- transaction has ended and this one has not, shows what was before, for good. So the change is noted when there may be such
-- an order, and worked off after the commit, as names are (part 4). It is one of a transaction that began to write earlier:
-- what a later one writes is read when this one has ended, too.
ALTER TABLE order_refreshes ADD COLUMN changed_before bigint;

CREATE FUNCTION note_unseen_orders() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  shown CONSTANT text[] := CASE TG_TABLE_NAME
    WHEN 'customers' THEN ARRAY['email', 'reference', 'reference_origin', 'customer_group_id']
    WHEN 'addresses' THEN ARRAY['business', 'first_name', 'last_name', 'company', 'city', 'country_code', 'state_code',
      'zip_code', 'lat', 'lng', 'is_geocoded']
  END;
BEGIN
  IF pg_snapshot_xmin(pg_current_snapshot()) = pg_current_xact_id() THEN RETURN NULL; END IF;
  INSERT INTO order_refreshes (environment_id, record_type, record_id, changed_before)
  SELECT after.environment_id, TG_TABLE_NAME, after.id, pg_current_xact_id()::text::bigint
  FROM changed_rows AS after JOIN rows_before AS before USING (environment_id, id)
  WHERE EXISTS (
    SELECT FROM unnest(shown) AS name
    WHERE to_jsonb(after) -> name IS DISTINCT FROM to_jsonb(before) -> name);
  PERFORM pg_notify('order_refreshes', '') WHERE FOUND;
  RETURN NULL;
END $$;

-- Before the triggers that touch orders, which fire in the order of their names: what has ended when this one looks, they see.
CREATE TRIGGER a_note_unseen_orders AFTER UPDATE ON customers
  REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_unseen_orders();
CREATE TRIGGER a_note_unseen_orders AFTER UPDATE ON addresses
  REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_unseen_orders();

-- As before; and orders of a customer or an address that were last changed by a transaction earlier than the one that changed
-- it. Those are found by index: unlike names, addresses change all the time.
CREATE OR REPLACE FUNCTION refresh_orders(rows_max integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  job order_refreshes%ROWTYPE;
  ids bigint[];
BEGIN
  SELECT * INTO job FROM order_refreshes ORDER BY environment_id, id LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  IF job.record_type IN ('customers', 'addresses') THEN
    SELECT array_agg(id ORDER BY id) INTO ids FROM (
      SELECT orders.id FROM (
        SELECT id FROM orders WHERE environment_id = job.environment_id
          AND job.record_type = 'customers' AND customer_id = job.record_id
        UNION
        SELECT id FROM orders WHERE environment_id = job.environment_id
          AND job.record_type = 'addresses' AND shipping_address_id = job.record_id
        UNION
        SELECT id FROM orders WHERE environment_id = job.environment_id
          AND job.record_type = 'addresses' AND billing_address_id = job.record_id
        UNION
        SELECT order_id FROM returns WHERE environment_id = job.environment_id
          AND job.record_type = 'addresses' AND origin_address_id = job.record_id
        UNION
        SELECT order_id FROM returns WHERE environment_id = job.environment_id
          AND job.record_type = 'addresses' AND destination_address_id = job.record_id
      ) AS showing JOIN orders ON orders.environment_id = job.environment_id AND orders.id = showing.id
      WHERE orders.changed_in < job.changed_before AND orders.id > job.after_order_id
      ORDER BY orders.id LIMIT rows_max
    ) AS page;
  ELSE
    SELECT array_agg(id ORDER BY id) INTO ids FROM (
      SELECT id FROM orders
      WHERE environment_id = job.environment_id AND id > job.after_order_id AND CASE job.record_type
        WHEN 'environments' THEN true
        WHEN 'markets' THEN market_id = job.record_id
        WHEN 'payment_methods' THEN payment_method_id = job.record_id
        WHEN 'customer_groups' THEN customer_id IN (
          SELECT id FROM customers WHERE environment_id = job.environment_id AND customer_group_id = job.record_id)
        WHEN 'stock_locations' THEN id IN (
          SELECT order_id FROM shipments WHERE environment_id = job.environment_id AND stock_location_id = job.record_id
          UNION ALL
          SELECT order_id FROM returns WHERE environment_id = job.environment_id AND stock_location_id = job.record_id)
        WHEN 'shipping_methods' THEN id IN (
          SELECT order_id FROM shipments WHERE environment_id = job.environment_id AND shipping_method_id = job.record_id)
        WHEN 'shipping_categories' THEN id IN (
          SELECT order_id FROM shipments WHERE environment_id = job.environment_id AND shipping_category_id = job.record_id)
        END
      ORDER BY id LIMIT rows_max
    ) AS page;
  END IF;
  IF ids IS NULL THEN
    DELETE FROM order_refreshes WHERE environment_id = job.environment_id AND id = job.id;
    RETURN 1;
  END IF;
  PERFORM touch_orders(array_fill(job.environment_id, ARRAY[cardinality(ids)]), ids, false);
  UPDATE order_refreshes SET after_order_id = ids[cardinality(ids)]
  WHERE environment_id = job.environment_id AND id = job.id;
  RETURN cardinality(ids);
END $$;
