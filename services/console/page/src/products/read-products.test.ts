import type { CoreRecord } from '../records/types.ts'
import { productQuery, toProducts } from './read-products.ts'

const record = (
  type: string,
  id: string,
  attributes: CoreRecord['attributes'],
  relationships: CoreRecord['attributes'] = {},
): CoreRecord => ({ type, id, attributes, relationships })

const one = (type: string, id: string) => ({ data: { type, id } })

describe('a page of products', () => {
  it('has each price and quantity under the key of its column', () => {
    const sku = record(
      'skus',
      'sku1',
      { code: 'SHIRT', name: 'Shirt' },
      {
        prices: {
          data: [
            { type: 'prices', id: 'p1' },
            { type: 'prices', id: 'p2' },
          ],
        },
        stock_items: { data: [{ type: 'stock_items', id: 's1' }] },
      },
    )
    const included = [
      record('prices', 'p1', { amount_cents: 1900 }, { price_list: one('price_lists', 'eur') }),
      record('prices', 'p2', { amount_cents: 0 }, { price_list: one('price_lists', 'usd') }),
      record('stock_items', 's1', { quantity: 7 }, { stock_location: one('stock_locations', 'rome') }),
      record('price_lists', 'eur', { name: 'Euro' }),
    ]
    expect(toProducts({ data: [sku], included }, ['prices', 'stock_items'])).toEqual([
      {
        id: 'sku1',
        code: 'SHIRT',
        name: 'Shirt',
        values: {
          'prices:eur': { id: 'p1', value: 1900 },
          'prices:usd': { id: 'p2', value: 0 },
          'stock_items:rome': { id: 's1', value: 7 },
        },
      },
    ])
  })

  it('has no values where nothing may be read of them', () => {
    const sku = record('skus', 'sku1', { code: 'SHIRT', name: null })
    expect(toProducts({ data: [sku] }, [])).toEqual([{ id: 'sku1', code: 'SHIRT', name: '', values: {} }])
  })
})

describe('what core is asked for a page of products', () => {
  it('is one request with all prices and quantities', () => {
    const query = productQuery({ search: {}, types: ['prices', 'stock_items'], order: 'code' }, 3)
    expect(Object.fromEntries(query)).toEqual({
      sort: 'code',
      'fields[skus]': 'code,name,prices,stock_items',
      include: 'prices.price_list,stock_items.stock_location',
      'fields[prices]': 'amount_cents,price_list',
      'fields[price_lists]': 'name',
      'fields[stock_items]': 'quantity,stock_location',
      'fields[stock_locations]': 'name',
      'page[number]': '4',
      'page[size]': '25',
    })
  })

  it('looks in codes and names; a comma is part of the text', () => {
    const asked = (search: object) => Object.fromEntries(productQuery({ search, types: [], order: 'id' }, 0))
    expect(asked({ text: 'a, b' })).toMatchObject({
      'filter[q][code_or_name_cont]': String.raw`a\, b`,
      sort: 'id',
    })
    expect(asked({ text: 'a' })).not.toHaveProperty('include')
  })
})
