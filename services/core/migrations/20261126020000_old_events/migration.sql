-- logs.prune deletes the oldest ones (docs/adr/0097-retention.md).
CREATE INDEX CONCURRENTLY events_created_at_idx ON events (created_at);
