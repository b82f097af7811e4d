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
    ['order.refunds_total_amount_with_taxes', ['refunds']],
    ['return_line_items.line_item_name', ['return_line_items']],
    ['return_line_items.line_item_total_amount', ['return_line_items', 'line_items']],
  ])('%s', (path, types) => {
    expect(typesOf(path)).toEqual(types)
  })

  /** Of the record itself, and made of its parts. */
  const made = [
    'order.aggregated_details',
    'order.refunded',
    'order.refunds_total_amount_with_taxes',
    'order.returned',
    'order.total_amount_with_taxes_net_of_refunds',
    'return.aggregated_details',
    'return.restocked_at',
  ]

  it('are known of all parts of a record', () => {
    for (const { record, alias = record, attributes } of loadCatalogue().values()) {
      const own = [record, alias, 'organization', 'market', 'order']
      for (const { path, aliasOf = path, types } of attributes.values()) {
        const isOwn = own.includes(path.split('.')[0] ?? '') && !made.includes(aliasOf)
        expect({ path, isTold: types.length > 0 }).toEqual({ path, isTold: !isOwn })
      }
    }
  })
})
