-- An event that is still to be delivered is not deleted (docs/adr/0097-retention.md).
CREATE INDEX CONCURRENTLY webhook_deliveries_event_id_idx ON webhook_deliveries (environment_id, event_id);
