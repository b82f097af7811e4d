-- The currency of a price list does not change while it has prices: that relabelled their amounts. The API says so with a
-- reason; what two writers do at the same moment is stopped by the key. Rows are as the old key left them, so they are
-- checked by the next migration, which lets others write meanwhile.
ALTER TABLE prices
  DROP CONSTRAINT prices_price_list_fkey,
  ADD CONSTRAINT prices_price_list_fkey FOREIGN KEY (environment_id, price_list_id, currency_code)
    REFERENCES price_lists (environment_id, id, currency_code) NOT VALID;
