/** The columns of the analytics tables that come from the list of order fields; all others are computed (order-row.ts). */
import {
  lineItemFields,
  orderFields,
  refundFields,
  resourceErrorFields,
  returnFields,
  returnLineItemFields,
  shipmentFields,
  tagFields,
} from '@merx/order-feed/order-fields'
import type { FedTable } from '../store/table-definitions.ts'
import { fieldColumns, ownFields, type FieldColumn } from './columns.ts'

export interface TableColumns {
  /** Columns of a record. */
  readonly own: readonly FieldColumn[]
  /** Columns of the items of its lists, by the name of the list. */
  readonly lists: Readonly<Record<string, readonly FieldColumn[]>>
}

export const TABLE_COLUMNS = {
  orders: {
    own: fieldColumns(ownFields(orderFields)),
    lists: {
      line_items: fieldColumns(lineItemFields),
      shipments: fieldColumns(shipmentFields),
      refunds: fieldColumns(refundFields),
      tags: fieldColumns(tagFields),
      resource_errors: fieldColumns(resourceErrorFields),
    },
  },
  returns: {
    own: fieldColumns(ownFields(returnFields)),
    lists: { return_line_items: fieldColumns(returnLineItemFields), tags: fieldColumns(tagFields) },
  },
} as const satisfies Record<FedTable, TableColumns>

const TYPES: Readonly<Record<FieldColumn['leaf']['kind'], string>> = {
  text: 'String',
  texts: 'Array(String)',
  id: 'String',
  flag: 'Bool',
  count: 'Int64',
  version: 'UInt64',
  cents: 'Decimal(18, 4)',
  rate: 'Decimal(18, 8)',
  instant: "DateTime64(3, 'UTC')",
}

/** The ClickHouse type of a column; of a list's items without the `Array` that Nested adds. */
export const columnType = ({ leaf, isOptional, isList }: FieldColumn): string => {
  const type = TYPES[leaf.kind]
  const nullable = leaf.isNullable || isOptional ? `Nullable(${type})` : type
  const stored = leaf.isFew ? `LowCardinality(${nullable})` : nullable
  return isList ? `Array(${stored})` : stored
}
