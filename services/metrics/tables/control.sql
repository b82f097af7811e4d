-- What the ingest remembers, one row a name; the highest version counts (docs/adr/0034-one-ingester-per-store.md).
CREATE TABLE ingest_state
(
    `name` String,
    `value` String,
    `version` UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY name;

-- Entries of the feed that could not be stored, for whoever has to mend them (docs/adr/0036-ingest-failures.md).
CREATE TABLE quarantine
(
    `generation` UInt32,
    `organization_id` String,
    `mode` String,
    `order_id` String,
    `order_version` UInt64,
    `reason` String,
    `entry` String,
    `seen_at` DateTime64(3, 'UTC'),
    `is_settled` UInt8
)
ENGINE = ReplacingMergeTree(order_version, is_settled)
ORDER BY (generation, organization_id, mode, order_id);
