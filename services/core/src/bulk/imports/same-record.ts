/** Decides whether an item of an import means an existing record that a non-unique key finds. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RunStatement } from '../../engine/database/run-statement.ts'
import type { Registry } from '../../engine/registry.ts'
import type { ImportItem } from './import-item.ts'

/**
 * Whether a line that has the order and the reference of an item is the one it means: of the SKU or other article that the
 * item names, or else of its name. An item that names nothing means whatever has its reference.
 */
export const isSameLine = ({ attributes, toOne }: ImportItem, line: Row, { ids }: Registry): boolean => {
  const code = attributes.get('sku_code') ?? null
  if (code !== null) return code === line['sku_code']
  const item = toOne.get('item') ?? null
  if (item !== null)
    return item.type === line['item_type'] && ids.decode(item.type, item.id) === line['item_id']
  const name = attributes.get('name') ?? null
  return name === null || name === line['name']
}

/** Whether the record is of the SKU that the item names by its code; one that names none means any. */
export const isOfSameSku = ({ attributes }: ImportItem, record: Row): boolean => {
  const code = attributes.get('sku_code') ?? null
  return code === null || code === record['sku_code']
}

/** Whether the order of a new line has another one of the same article, or name. */
export const isRepeatedLine = async (
  line: Row,
  environmentId: number,
  run: RunStatement,
): Promise<boolean> => {
  const text = `SELECT FROM line_items WHERE environment_id = $1 AND order_id = $2 AND id <> $3
      AND item_type IS NOT DISTINCT FROM $4 AND item_id IS NOT DISTINCT FROM $5
      AND (item_type IS NOT NULL OR name IS NOT DISTINCT FROM $6) LIMIT 1`
  const { id, order_id: order, item_type: type, item_id: item, name } = line
  return (await run({ text, values: [environmentId, order, id, type, item, name] })).length > 0
}
