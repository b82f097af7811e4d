-- Who follows changes asks for what was updated since. Ranges of blocks with their least and greatest instant leave out
-- nearly all of a table, and unlike a tree they let an update stay in its page (docs/adr/0029-lists-of-other-types.md).
CREATE INDEX skus_updated_at_idx ON skus USING brin (updated_at) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX prices_updated_at_idx ON prices USING brin (updated_at) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX stock_items_updated_at_idx ON stock_items USING brin (updated_at) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX customers_updated_at_idx ON customers USING brin (updated_at) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX addresses_updated_at_idx ON addresses USING brin (updated_at) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX orders_updated_at_idx ON orders USING brin (updated_at) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX line_items_updated_at_idx ON line_items USING brin (updated_at) WITH (pages_per_range = 32, autosummarize = on);
