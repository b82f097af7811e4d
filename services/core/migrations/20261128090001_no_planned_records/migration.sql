-- Every type has a table of its own; this one was always empty.
-- contract: nothing reads planned_records since 20261128080010_price_list_schedulers, which built the last type
DROP TABLE planned_records;
