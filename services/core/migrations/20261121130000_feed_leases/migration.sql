-- Which process applies the order feed to which copy of the orders (docs/adr/0034-one-ingester-per-store.md): one at a
-- time, until it is silent. A token is higher than every one given out before, so that what an earlier holder still
-- writes can be told from what the present one writes. `report` is what the holder says about itself.
CREATE TABLE feed_leases (
  store text NOT NULL,
  holder text NOT NULL,
  token bigint NOT NULL
    CONSTRAINT feed_leases_token_check CHECK (token > 0),
  report jsonb NOT NULL DEFAULT '{}',
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT feed_leases_pkey PRIMARY KEY (store)
);
