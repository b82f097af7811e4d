-- logs.prune deletes the oldest ones (docs/adr/0097-retention.md).
CREATE INDEX CONCURRENTLY event_callbacks_created_at_idx ON event_callbacks (created_at);
