import { readFileSync } from 'node:fs'
import type { Resource } from './attribute.ts'
import { loadCatalogue, toResource, type ResourceData } from './load-catalogue.ts'
import { placeOf } from './place.ts'

const data = JSON.parse(readFileSync(new URL('./orders.json', import.meta.url), 'utf8')) as ResourceData
const orders = loadCatalogue().get('orders') as Resource

describe('the catalogue of orders', () => {
  it('has every attribute, filter section and rule of the interface', () => {
    expect(orders.attributes.size).toBe(165)
    expect(orders.filters.size).toBe(17)
    expect(orders.nestedByForbidden.size).toBe(17)
    expect(orders.wildcards).toHaveLength(17)
  })

  it('gives every attribute a column of its own', () => {
    const columns = [...orders.attributes.values()].map(({ place }) => place.column)
    expect(new Set(columns).size).toBe(columns.length)
  })

  it('expands every wildcard to something', () => {
    for (const wildcard of orders.wildcards) {
      const entity = wildcard.slice(0, -1)
      expect([...orders.attributes.keys()].some((path) => path.startsWith(entity))).toBe(true)
    }
  })

  it('reaches every nested section from its parent', () => {
    for (const section of orders.filters.keys()) {
      const [parent = '', child] = section.split('.')
      if (child === undefined) continue
      expect(orders.filters.get(parent)?.get(child)).toEqual({ kind: 'section', section })
    }
  })

  it('lets exactly the five operators of the contract compute on every amount', () => {
    for (const { path, type, operators } of orders.attributes.values()) {
      if (type !== 'float' || path === 'shipments.cost_amount') continue
      expect({ path, operators }).toEqual({ path, operators: ['avg', 'max', 'min', 'sum', 'stats'] })
    }
  })
})

describe('catalogue data is refused at start', () => {
  it.each([
    ['a misspelt key', { ...data, wildcard: [] }, 'wildcard'],
    [
      'an unknown type',
      { ...data, attributes: { ...data.attributes, 'order.x': { type: 'money' } } },
      '/attributes',
    ],
    [
      'a filter of an unknown attribute',
      { ...data, filters: { order: { x: { kind: 'boolean', attribute: 'order.nope' } } } },
      'order.nope',
    ],
    [
      'a nested section that is not there',
      { ...data, filters: { order: { x: { kind: 'section', section: 'order.nope' } } } },
      'order.nope',
    ],
    ['a default order that is not there', { ...data, sort_by_default: 'order.nope' }, 'order.nope'],
    ['a nesting rule for nothing', { ...data, nested_by_forbidden: { 'order.nope': [] } }, 'order.nope'],
    ['no object at all', [], 'catalogue data'],
  ])('when it has %s', (_name, broken, message) => {
    expect(() => toResource(broken)).toThrow(message)
  })
})

describe('placeOf', () => {
  it.each([
    ['order.total_amount', { column: 'total_amount', keys: ['total_amount'] }],
    ['customer.email', { column: 'customer_email', keys: ['customer', 'email'] }],
    ['line_items.code', { column: 'line_items.code', tree: 'line_items', keys: ['line_items', 'code'] }],
    [
      'line_items.options.name',
      {
        column: 'line_items.options_name',
        tree: 'line_items',
        child: 'options',
        keys: ['line_items', 'options', 'name'],
      },
    ],
    [
      'shipments.stock_location.id',
      {
        column: 'shipments.stock_location_id',
        tree: 'shipments',
        keys: ['shipments', 'stock_location', 'id'],
      },
    ],
    [
      'shipments.items',
      { column: 'shipments.items', tree: 'shipments', child: 'items', keys: ['shipments', 'items'] },
    ],
  ])('keeps %s in its column', (path, place) => {
    expect(placeOf(path, 'order')).toEqual(place)
  })
})
