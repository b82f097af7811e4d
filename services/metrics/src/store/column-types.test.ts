import { BOUNDED } from '../catalogue/place.ts'
import { columnType, TABLE_COLUMNS } from '../ingest/order-columns.ts'
import { ORDER_COLUMNS } from '../ingest/order-row.ts'
import { RETURN_COLUMNS } from '../ingest/return-rows.ts'
import { columnTypes } from './column-types.ts'
import { FED_TABLES, fedDefinitions } from './table-definitions.ts'

describe('types of columns', () => {
  it('are known of every column that the ingest writes', () => {
    const [orders, returns] = [columnTypes(fedDefinitions.orders), columnTypes(fedDefinitions.returns)]
    expect(ORDER_COLUMNS.filter((name) => !orders.has(name))).toEqual([])
    expect(RETURN_COLUMNS.filter((name) => !returns.has(name))).toEqual([])
  })

  it.each(FED_TABLES)('follow from the list of order fields: %s', (table) => {
    const types = columnTypes(fedDefinitions[table])
    const { own, lists } = TABLE_COLUMNS[table]
    const wanted = [
      ...own.map((column) => [column.name, columnType(column)] as const),
      ...Object.entries(lists).flatMap(([list, columns]) =>
        columns.map((column) => [`${list}.${column.name}`, `Array(${columnType(column)})`] as const),
      ),
    ]
    const cure = 'npm run gen adds columns that are missing'
    expect({ cure, found: wanted.map(([name]) => [name, types.get(name)]) }).toEqual({ cure, found: wanted })
  })

  it('are those of the definition, members of a list as arrays', () => {
    const types = columnTypes(fedDefinitions.orders)
    expect(types.get('is_deleted')).toBe('UInt8')
    expect(types.get('created_at')).toBe("DateTime64(3, 'UTC')")
    expect(types.get('line_items.options_id')).toBe('Array(Array(String))')
    expect(types.get('tags.name')).toBe('Array(LowCardinality(String))')
    expect(types.has('line_items')).toBe(false)
  })

  it('are there for the bounds of each list that has them, of the type of its elements', () => {
    const types = columnTypes(fedDefinitions.orders)
    for (const column of BOUNDED) {
      const [, of = ''] = /^Array\((.*)\)$/.exec(types.get(column) ?? '') ?? []
      const name = column.replace('.', '_')
      expect([types.get(`${name}_least`), types.get(`${name}_greatest`)]).toEqual([of, of])
    }
  })
})
