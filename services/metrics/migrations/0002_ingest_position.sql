-- How far the order feed was read. Written after the batch it stands for, so that a crash repeats a batch and never skips
-- one. An empty orders table makes the position void: the feed is then read from the start.
CREATE TABLE IF NOT EXISTS ingest_position
(
    `feed` String,
    `cursor` String,
    `has_caught_up` Bool,
    `saved_at` DateTime64(3, 'UTC'),
    `version` UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY feed;
