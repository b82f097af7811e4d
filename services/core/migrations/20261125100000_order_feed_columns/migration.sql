-- Which columns of shared records the documents of orders show. Core writes them from its list of order fields when it migrates
-- (src/order-feed/watched-columns.ts), so that a new field needs no migration; until now each trigger function had a list of its own.
CREATE TABLE order_feed_columns (
  table_name text NOT NULL,
  column_name text NOT NULL,
  CONSTRAINT order_feed_columns_pkey PRIMARY KEY (table_name, column_name)
);
INSERT INTO order_feed_columns (table_name, column_name) VALUES
  ('addresses', 'business'), ('addresses', 'city'), ('addresses', 'company'), ('addresses', 'country_code'), ('addresses', 'first_name'), ('addresses', 'is_geocoded'), ('addresses', 'last_name'), ('addresses', 'lat'), ('addresses', 'lng'), ('addresses', 'state_code'), ('addresses', 'zip_code'),
  ('customer_groups', 'name'),
  ('customers', 'customer_group_id'), ('customers', 'email'), ('customers', 'reference'), ('customers', 'reference_origin'),
  ('environments', 'name'), ('environments', 'slug'),
  ('markets', 'name'), ('markets', 'number'),
  ('payment_methods', 'moto'), ('payment_methods', 'name'), ('payment_methods', 'payment_source_type'),
  ('shipping_categories', 'name'), ('shipping_categories', 'reference'), ('shipping_categories', 'reference_origin'),
  ('shipping_methods', 'currency_code'), ('shipping_methods', 'name'), ('shipping_methods', 'reference'), ('shipping_methods', 'reference_origin'),
  ('stock_locations', 'name'), ('stock_locations', 'reference'), ('stock_locations', 'reference_origin');

-- Whether a change of a record shows in documents of orders.
CREATE FUNCTION order_feed_shows(changed_table text, before jsonb, after jsonb) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM order_feed_columns
    WHERE table_name = changed_table AND before -> column_name IS DISTINCT FROM after -> column_name)
$$;

-- The functions of the migrations order_feed, shown_columns_noted and orders_of_open_transactions, with the list from the table.
CREATE OR REPLACE FUNCTION touch_orders_of_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM touch_orders(array_agg(orders.environment_id), array_agg(orders.id), false)
  FROM changed_rows AS after
  JOIN rows_before AS before USING (environment_id, id)
  JOIN orders ON orders.environment_id = after.environment_id AND orders.customer_id = after.id
  WHERE order_feed_shows(TG_TABLE_NAME, to_jsonb(before), to_jsonb(after))
  HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_order_refreshes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_refreshes (environment_id, record_type, record_id)
  SELECT after.environment_id, TG_TABLE_NAME, after.id
  FROM changed_rows AS after JOIN rows_before AS before USING (environment_id, id)
  WHERE order_feed_shows(TG_TABLE_NAME, to_jsonb(before), to_jsonb(after));
  PERFORM pg_notify('order_refreshes', '') WHERE FOUND;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_environment_refreshes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_refreshes (environment_id, record_type, record_id)
  SELECT after.id, TG_TABLE_NAME, after.id
  FROM changed_rows AS after JOIN rows_before AS before USING (id)
  WHERE order_feed_shows(TG_TABLE_NAME, to_jsonb(before), to_jsonb(after));
  PERFORM pg_notify('order_refreshes', '') WHERE FOUND;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_unseen_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_snapshot_xmin(pg_current_snapshot()) = pg_current_xact_id() THEN RETURN NULL; END IF;
  INSERT INTO order_refreshes (environment_id, record_type, record_id, changed_before)
  SELECT after.environment_id, TG_TABLE_NAME, after.id, pg_current_xact_id()::text::bigint
  FROM changed_rows AS after JOIN rows_before AS before USING (environment_id, id)
  WHERE order_feed_shows(TG_TABLE_NAME, to_jsonb(before), to_jsonb(after));
  PERFORM pg_notify('order_refreshes', '') WHERE FOUND;
  RETURN NULL;
END $$;
