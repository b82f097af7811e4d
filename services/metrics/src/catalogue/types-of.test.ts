import { loadCatalogue } from './load-catalogue.ts'
import { loadTypesOf } from './types-of.ts'

const typesOf = loadTypesOf()

describe('types of an attribute', () => {
  it.each([
    ['order.number', []],
    ['organization.name', []],
    ['market.name', []],
    ['customer.email', ['customers']],
    ['customer.group_name', ['customers', 'customer_groups']],
    ['shipments.tags.name', ['shipments', 'tags']],
    ['billing_address.city', ['addresses']],
  ])('%s', (path, types) => {
    expect(typesOf(path)).toEqual(types)
  })

  it('are known of all parts of a record', () => {
    for (const { record, attributes } of loadCatalogue().values()) {
      const own = [record, 'organization', 'market', 'order']
      for (const { path, types } of attributes.values()) {
        const isOwn = own.includes(path.split('.')[0] ?? '') && !path.endsWith('.aggregated_details')
        expect({ path, isTold: types.length > 0 }).toEqual({ path, isTold: !isOwn })
      }
    }
  })
})
