-- TRUNCATE fires no trigger that sees rows, so the documents of orders went on showing what is gone. Of orders themselves it
-- is refused (migration order_feed, part 2); of what they consist of, all orders are looked at, 500 at a time.
CREATE FUNCTION note_truncated_parts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_refreshes (environment_id, record_type, record_id)
  SELECT id, 'environments', id FROM environments;
  PERFORM pg_notify('order_refreshes', '');
  RETURN NULL;
END $$;

CREATE TRIGGER note_truncated AFTER TRUNCATE ON line_items
  FOR EACH STATEMENT EXECUTE FUNCTION note_truncated_parts();
CREATE TRIGGER note_truncated AFTER TRUNCATE ON line_item_options
  FOR EACH STATEMENT EXECUTE FUNCTION note_truncated_parts();
CREATE TRIGGER note_truncated AFTER TRUNCATE ON shipments
  FOR EACH STATEMENT EXECUTE FUNCTION note_truncated_parts();
CREATE TRIGGER note_truncated AFTER TRUNCATE ON stock_line_items
  FOR EACH STATEMENT EXECUTE FUNCTION note_truncated_parts();
CREATE TRIGGER note_truncated AFTER TRUNCATE ON refunds
  FOR EACH STATEMENT EXECUTE FUNCTION note_truncated_parts();
CREATE TRIGGER note_truncated AFTER TRUNCATE ON returns
  FOR EACH STATEMENT EXECUTE FUNCTION note_truncated_parts();
CREATE TRIGGER note_truncated AFTER TRUNCATE ON return_line_items
  FOR EACH STATEMENT EXECUTE FUNCTION note_truncated_parts();
CREATE TRIGGER note_truncated AFTER TRUNCATE ON taggings
  FOR EACH STATEMENT EXECUTE FUNCTION note_truncated_parts();
CREATE TRIGGER note_truncated AFTER TRUNCATE ON resource_errors
  FOR EACH STATEMENT EXECUTE FUNCTION note_truncated_parts();
