-- One row per return, from the document of its order and with that document's version. The sorting key finds the returns
-- of an order, so that one that the order does not have any more can be written as deleted; order and id never change.
-- Column names follow the catalogue (src/catalogue/place.ts).
CREATE TABLE IF NOT EXISTS returns
(
    `version` UInt64,
    `is_deleted` UInt8 DEFAULT 0,
    `organization_id` LowCardinality(String),
    `organization_name` LowCardinality(String),
    `organization_slug` LowCardinality(String),
    `mode` LowCardinality(String),
    `order_id` String,
    `id` String,
    `number` String,
    `status` LowCardinality(String),
    `reference` Nullable(String),
    `reference_origin` LowCardinality(Nullable(String)),
    `currency_code` LowCardinality(String),
    `skus_count` Int64,
    `aggregated_details` String,
    `archived` Bool,
    `current_date` DateTime64(3, 'UTC'),
    `created_at` DateTime64(3, 'UTC'),
    `updated_at` DateTime64(3, 'UTC'),
    `approved_at` Nullable(DateTime64(3, 'UTC')),
    `archived_at` Nullable(DateTime64(3, 'UTC')),
    `cancelled_at` Nullable(DateTime64(3, 'UTC')),
    `received_at` Nullable(DateTime64(3, 'UTC')),
    `rejected_at` Nullable(DateTime64(3, 'UTC')),
    `restocked_at` Nullable(DateTime64(3, 'UTC')),
    `shipped_at` Nullable(DateTime64(3, 'UTC')),
    `store_id` LowCardinality(Nullable(String)),
    `market_id` LowCardinality(String),
    `market_name` LowCardinality(String),
    `market_number` Int64,
    `customer_email` Nullable(String),
    `customer_group_name` LowCardinality(Nullable(String)),
    `customer_id` Nullable(String),
    `origin_address_business` Nullable(Bool),
    `origin_address_city` LowCardinality(Nullable(String)),
    `origin_address_country_code` LowCardinality(Nullable(String)),
    `origin_address_geocoded` Nullable(Bool),
    `origin_address_localized` Nullable(Bool),
    `origin_address_state_code` LowCardinality(Nullable(String)),
    `origin_address_zip_code` Nullable(String),
    `destination_address_business` Nullable(Bool),
    `destination_address_city` LowCardinality(Nullable(String)),
    `destination_address_country_code` LowCardinality(Nullable(String)),
    `destination_address_geocoded` Nullable(Bool),
    `destination_address_localized` Nullable(Bool),
    `destination_address_state_code` LowCardinality(Nullable(String)),
    `destination_address_zip_code` Nullable(String),
    `stock_location_id` LowCardinality(Nullable(String)),
    `stock_location_name` LowCardinality(Nullable(String)),
    `stock_location_reference` LowCardinality(Nullable(String)),
    `stock_location_reference_origin` LowCardinality(Nullable(String)),
    `return_line_items` Nested(
        `line_item_id` String,
        `line_item_code` LowCardinality(Nullable(String)),
        `line_item_item_type` LowCardinality(Nullable(String)),
        `line_item_name` LowCardinality(Nullable(String)),
        `line_item_total_amount` Nullable(Decimal(18, 4)),
        `line_item_tax_amount` Nullable(Decimal(18, 4)),
        `line_item_tax_rate` Nullable(Decimal(18, 8)),
        `line_item_updated_at` Nullable(DateTime64(3, 'UTC')),
        `quantity` Int64,
        `created_at` DateTime64(3, 'UTC'),
        `updated_at` DateTime64(3, 'UTC'),
        `restocked_at` Nullable(DateTime64(3, 'UTC'))
    ),
    `tags` Nested(
        `id` LowCardinality(String),
        `name` LowCardinality(String)
    )
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (organization_id, mode, order_id, id);

-- Order documents have had no returns until now: the feed is read again from the start.
TRUNCATE TABLE ingest_position;
