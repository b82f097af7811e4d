-- An order's country is that of its shipping address, else of its billing address. The API sets it when an order gets
-- another address; this is for an address that is corrected. Runs before touch_orders_update (triggers fire in the
-- order of their names), and locks orders in the order of their ids as that does.
CREATE FUNCTION follow_country_of_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET country_code = locked.country_code
  FROM (
    SELECT orders.environment_id, orders.id, changed_rows.country_code
    FROM changed_rows
    JOIN rows_before USING (environment_id, id)
    JOIN orders ON orders.environment_id = changed_rows.environment_id
      AND (orders.shipping_address_id = changed_rows.id
        OR (orders.billing_address_id = changed_rows.id AND orders.shipping_address_id IS NULL))
    WHERE changed_rows.country_code <> rows_before.country_code
    ORDER BY orders.environment_id, orders.id
    FOR NO KEY UPDATE OF orders
  ) AS locked
  WHERE orders.environment_id = locked.environment_id AND orders.id = locked.id;
  RETURN NULL;
END $$;

CREATE TRIGGER follow_country AFTER UPDATE ON addresses
  REFERENCING OLD TABLE AS rows_before NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION follow_country_of_address();
