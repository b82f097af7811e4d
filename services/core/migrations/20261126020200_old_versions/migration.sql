-- logs.prune deletes the oldest ones where VERSION_DAYS is set (docs/adr/0097-retention.md).
CREATE INDEX CONCURRENTLY versions_created_at_idx ON versions (created_at);
