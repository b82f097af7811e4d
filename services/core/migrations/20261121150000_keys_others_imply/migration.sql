-- What a row refers to besides has an environment of its own, so these keys say nothing that the others do not; each was
-- a look at the row of the environment, and a lock on it, per row written. The change log refers to nothing
-- (docs/adr/0044-keys-that-others-imply.md).
-- contract: nothing names these constraints, and no release deletes environments
ALTER TABLE skus DROP CONSTRAINT skus_environment_fkey;
ALTER TABLE prices DROP CONSTRAINT prices_environment_fkey;
ALTER TABLE stock_items DROP CONSTRAINT stock_items_environment_fkey;
ALTER TABLE versions DROP CONSTRAINT versions_environment_fkey;
ALTER TABLE events DROP CONSTRAINT events_environment_fkey;
