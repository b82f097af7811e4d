import { columnsOf, nameOf, recordType, titleOf, typeNames } from './types.ts'

describe('a type of the console', () => {
  it('has at most six columns, all of them attributes that a list shows', () => {
    for (const name of typeNames) {
      const type = recordType(name)
      const columns = columnsOf(type)
      expect(columns.length).toBeLessThanOrEqual(6)
      expect(new Set(columns).size).toBe(columns.length)
      for (const column of columns) {
        expect(type.attributes).toHaveProperty(column)
        expect(type.alone).not.toContain(column)
      }
    }
  })

  it('is refused by a name that is none, with where to look', () => {
    for (const name of ['tents', 'constructor', '__proto__'])
      expect(() => recordType(name)).toThrow(`There is no type ${name}. /console/records lists all.`)
  })

  it('names a record by what people know, and else by its id', () => {
    const record = { id: 'xYZkjABcde', type: 'skus', attributes: { code: 'TSHIRT', name: 'T-shirt' } }
    expect(nameOf('skus', record)).toBe('TSHIRT')
    expect(nameOf('skus', { ...record, attributes: { code: null, name: '' } })).toBe('xYZkjABcde')
    expect(nameOf('orders', { ...record, attributes: { number: 1234 } })).toBe('1234')
  })

  it('has a title in words', () => {
    expect(['skus', 'sku_lists', 'stock_items'].map(titleOf)).toEqual(['SKUs', 'SKU lists', 'Stock items'])
  })
})
