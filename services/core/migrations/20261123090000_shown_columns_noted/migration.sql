-- Every column of a shared record that documents of orders show is noted when it changes, see the migration order_feed,
-- part 4. Names alone were: a payment method that became one for mail and telephone orders (moto), or of another source,
-- and a shipping method of another currency, never reached the documents. Only the function is replaced, so that no
-- table is locked; the triggers stay.
CREATE OR REPLACE FUNCTION note_order_refreshes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  shown CONSTANT text[] := ARRAY['name', 'reference', 'reference_origin'] || CASE TG_TABLE_NAME
    WHEN 'markets' THEN ARRAY['number']
    WHEN 'payment_methods' THEN ARRAY['payment_source_type', 'moto']
    WHEN 'shipping_methods' THEN ARRAY['currency_code']
    ELSE '{}'
  END;
BEGIN
  INSERT INTO order_refreshes (environment_id, record_type, record_id)
  SELECT after.environment_id, TG_TABLE_NAME, after.id
  FROM changed_rows AS after JOIN rows_before AS before USING (environment_id, id)
  WHERE EXISTS (
    SELECT FROM unnest(shown) AS name
    WHERE to_jsonb(after) -> name IS DISTINCT FROM to_jsonb(before) -> name);
  PERFORM pg_notify('order_refreshes', '') WHERE FOUND;
  RETURN NULL;
END $$;

-- Documents may hold what such a method was before. One that was never updated cannot be in a wrong one: every update,
-- whoever makes it, moves updated_at (set_updated_at). What exactly changed is not known for writers beside the API, so
-- all updated ones are noted, once, and worked off 500 orders at a time while the service runs.
INSERT INTO order_refreshes (environment_id, record_type, record_id)
SELECT environment_id, 'payment_methods', id FROM payment_methods WHERE updated_at <> created_at
UNION ALL
SELECT environment_id, 'shipping_methods', id FROM shipping_methods WHERE updated_at <> created_at;
