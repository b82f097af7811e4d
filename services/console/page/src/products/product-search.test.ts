import { readProductSearch } from './product-search.ts'

describe('the address of the products', () => {
  it('has a text and the columns', () => {
    const search = { text: 'SHIRT', columns: ['prices:ZKvskAUIUt', 'stock_items:oEcTTcEERY'] }
    expect(readProductSearch(search)).toEqual(search)
    expect(readProductSearch({ text: 12 })).toEqual({ text: '12' })
    expect(readProductSearch({ columns: [] })).toEqual({ columns: [] })
  })

  it('takes nothing that makes no sense', () => {
    expect(readProductSearch({ text: ['a'], columns: ['orders:1', 7, 'prices:a b'], page: 3 })).toEqual({
      columns: [],
    })
    expect(readProductSearch({ text: ' ', columns: 'prices:ZKvskAUIUt' })).toEqual({})
    expect(readProductSearch({ text: 'a'.repeat(500) }).text).toHaveLength(200)
  })
})
