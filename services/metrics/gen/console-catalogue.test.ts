import { readFileSync } from 'node:fs'
import { loadCatalogue } from '../src/catalogue/load-catalogue.ts'
import { consoleCataloguePath, renderConsoleCatalogue } from './console-catalogue.ts'

interface Written {
  readonly resources: Readonly<
    Record<string, { readonly attributes: Readonly<Record<string, object>>; readonly filters: object }>
  >
}

describe('the catalogue of the console', () => {
  const { resources } = JSON.parse(renderConsoleCatalogue()) as Written

  it('is what the page has', () => {
    expect(readFileSync(consoleCataloguePath, 'utf8')).toBe(renderConsoleCatalogue())
  })

  it('has every attribute and filter by the name of the record, none by its alias', () => {
    for (const [name, resource] of loadCatalogue()) {
      const own = [...resource.attributes.values()].filter(({ aliasOf }) => aliasOf === undefined)
      expect(Object.keys(resources[name]?.attributes ?? {})).toEqual(own.map(({ path }) => path))
    }
    expect(resources['carts']?.filters).not.toHaveProperty(['cart.currency_codes'])
    expect(resources['carts']?.filters).toHaveProperty(['order.currency_codes'])
  })

  it('says what an attribute can be used for, and whose permission it needs', () => {
    expect(resources['orders']?.attributes['customer.email']).toEqual({
      type: 'keyword',
      operators: ['cardinality', 'value_count'],
      tells: ['customers'],
      by: true,
      search: true,
      export: true,
    })
  })
})
