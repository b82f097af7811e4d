-- What a flex promotion takes off, and when, as a document that the merchant writes (docs/adr/0122).
ALTER TABLE promotions
  ADD COLUMN rules jsonb
    CONSTRAINT promotions_rules_check CHECK (jsonb_typeof(rules) = 'object');
