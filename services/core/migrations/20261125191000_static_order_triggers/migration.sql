-- What touches the orders of changed rows was one function that built its statement from an argument of the trigger, so that
-- PostgreSQL parsed and planned it for every statement that wrote a part of an order: more than half of what such a write cost.
-- From now on each shape of statement is a function of its own, whose plan a session keeps. What is touched, and when, is as before
-- (migrations order_feed, returns and transactions).

-- An order that this transaction has changed already is left alone, and without an order to touch nothing is updated, so that the
-- triggers of orders do not fire for nothing. Orders are locked in the order of their ids.
-- Nearly every statement writes parts of one order. That one is found by its key, whatever PostgreSQL believed about the size of
-- the table when it planned the statement, and needs no lock of its own: only several have to be locked in the order of their ids.
CREATE OR REPLACE FUNCTION touch_orders(environment_ids bigint[], order_ids bigint[], is_own_content boolean) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  this_transaction CONSTANT bigint := pg_current_xact_id()::text::bigint;
BEGIN
  IF order_ids[1] = ALL (order_ids) AND environment_ids[1] = ALL (environment_ids) THEN
    PERFORM FROM orders
    WHERE orders.environment_id = environment_ids[1] AND orders.id = order_ids[1] AND orders.changed_in <> this_transaction;
    IF NOT FOUND THEN RETURN; END IF;
    UPDATE orders SET version = orders.version + 1,
      updated_at = CASE WHEN is_own_content THEN now() ELSE orders.updated_at END
    WHERE orders.environment_id = environment_ids[1] AND orders.id = order_ids[1] AND orders.changed_in <> this_transaction;
    RETURN;
  END IF;
  PERFORM FROM unnest(environment_ids, order_ids) AS touched (environment_id, id)
  JOIN orders USING (environment_id, id)
  WHERE orders.changed_in <> this_transaction
  ORDER BY orders.environment_id, orders.id
  FOR NO KEY UPDATE OF orders;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE orders SET version = orders.version + 1,
    updated_at = CASE WHEN is_own_content THEN now() ELSE orders.updated_at END
  FROM (SELECT DISTINCT * FROM unnest(environment_ids, order_ids) AS pairs (environment_id, id)) AS touched
  WHERE orders.environment_id = touched.environment_id AND orders.id = touched.id AND orders.changed_in <> this_transaction;
END $$;

-- One function a query; its only argument says whether the rows are the order's own content, so that its updated_at moves with them.
DO $$
DECLARE
  shape record;
BEGIN
  FOR shape IN SELECT * FROM (VALUES
    ('touch_orders_of_rows',
      'SELECT environment_id, order_id FROM changed WHERE order_id IS NOT NULL'),
    ('touch_orders_of_line_items',
      'SELECT environment_id, line_items.order_id FROM changed
       JOIN line_items USING (environment_id) WHERE line_items.id = changed.line_item_id'),
    ('touch_orders_of_shipments',
      'SELECT environment_id, shipments.order_id FROM changed
       JOIN shipments USING (environment_id) WHERE shipments.id = changed.shipment_id'),
    ('touch_orders_of_returns',
      'SELECT environment_id, returns.order_id FROM changed
       JOIN returns USING (environment_id) WHERE returns.id = changed.return_id'),
    ('touch_orders_of_taggings',
      'SELECT environment_id, order_id FROM changed WHERE order_id IS NOT NULL
       UNION ALL SELECT environment_id, shipments.order_id FROM changed
       JOIN shipments USING (environment_id) WHERE shipments.id = changed.shipment_id
       UNION ALL SELECT environment_id, returns.order_id FROM changed
       JOIN returns USING (environment_id) WHERE returns.id = changed.return_id'),
    ('touch_orders_of_tags',
      'SELECT environment_id, taggings.order_id FROM changed
       JOIN taggings USING (environment_id) WHERE taggings.tag_id = changed.id AND taggings.order_id IS NOT NULL
       UNION ALL SELECT environment_id, shipments.order_id FROM changed
       JOIN taggings USING (environment_id) JOIN shipments USING (environment_id)
       WHERE taggings.tag_id = changed.id AND shipments.id = taggings.shipment_id
       UNION ALL SELECT environment_id, returns.order_id FROM changed
       JOIN taggings USING (environment_id) JOIN returns USING (environment_id)
       WHERE taggings.tag_id = changed.id AND returns.id = taggings.return_id'),
    ('touch_orders_of_addresses',
      'SELECT environment_id, orders.id AS order_id FROM changed
       JOIN orders USING (environment_id) WHERE orders.shipping_address_id = changed.id
       UNION ALL SELECT environment_id, orders.id FROM changed
       JOIN orders USING (environment_id) WHERE orders.billing_address_id = changed.id
       UNION ALL SELECT environment_id, returns.order_id FROM changed
       JOIN returns USING (environment_id) WHERE returns.origin_address_id = changed.id
       UNION ALL SELECT environment_id, returns.order_id FROM changed
       JOIN returns USING (environment_id) WHERE returns.destination_address_id = changed.id')
  ) AS shapes (name, touched) LOOP
    EXECUTE format($function$
      CREATE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          PERFORM touch_orders(array_agg(environment_id), array_agg(order_id), TG_ARGV[0]::boolean) FROM (
            WITH changed AS (TABLE changed_rows UNION ALL TABLE rows_before)
            %2$s
          ) AS touched HAVING count(*) > 0;
        ELSE
          PERFORM touch_orders(array_agg(environment_id), array_agg(order_id), TG_ARGV[0]::boolean) FROM (
            WITH changed AS (TABLE changed_rows)
            %2$s
          ) AS touched HAVING count(*) > 0;
        END IF;
        RETURN NULL;
      END $body$ $function$, shape.name, shape.touched);
  END LOOP;
END $$;

DO $$
DECLARE
  watched record;
  event text;
BEGIN
  FOR watched IN SELECT * FROM (VALUES
    ('line_items', 'touch_orders_of_rows', true),
    ('shipments', 'touch_orders_of_rows', true),
    ('transactions', 'touch_orders_of_rows', true),
    ('returns', 'touch_orders_of_rows', true),
    ('resource_errors', 'touch_orders_of_rows', false),
    ('line_item_options', 'touch_orders_of_line_items', true),
    ('stock_line_items', 'touch_orders_of_shipments', true),
    ('return_line_items', 'touch_orders_of_returns', true),
    ('taggings', 'touch_orders_of_taggings', false),
    ('tags', 'touch_orders_of_tags', false),
    ('addresses', 'touch_orders_of_addresses', true)
  ) AS tables (name, touches, is_own_content) LOOP
    FOREACH event IN ARRAY ARRAY['insert', 'update', 'delete'] LOOP
      -- Until something refers to a tag or an address, and once nothing does, no order shows it.
      CONTINUE WHEN watched.name IN ('tags', 'addresses') AND event <> 'update';
      EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER %s ON %I REFERENCING %s FOR EACH STATEMENT EXECUTE FUNCTION %I(%L)',
        'touch_orders_' || event, event, watched.name,
        CASE event
          WHEN 'insert' THEN 'NEW TABLE AS changed_rows'
          WHEN 'update' THEN 'OLD TABLE AS rows_before NEW TABLE AS changed_rows'
          ELSE 'OLD TABLE AS changed_rows'
        END,
        watched.touches, watched.is_own_content);
    END LOOP;
  END LOOP;
END $$;

-- Taggings, tags and addresses had a second trigger for the orders of returns.
DROP TRIGGER touch_orders_of_returns_insert ON taggings;
DROP TRIGGER touch_orders_of_returns_update ON taggings;
DROP TRIGGER touch_orders_of_returns_delete ON taggings;
DROP TRIGGER touch_orders_of_returns_update ON tags;
DROP TRIGGER touch_orders_of_returns_update ON addresses;
DROP FUNCTION touch_orders_of_changed_rows();
