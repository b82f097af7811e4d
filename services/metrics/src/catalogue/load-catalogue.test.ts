import { readFileSync } from 'node:fs'
import type { Resource } from './attribute.ts'
import { loadCatalogue, toResource, type ResourceData } from './load-catalogue.ts'
import { placeOf } from './place.ts'

const data = JSON.parse(readFileSync(new URL('./orders.json', import.meta.url), 'utf8')) as ResourceData

/** Attributes, filter sections, nesting rules and wildcards of the interface. */
const sizes = { orders: [165, 17, 17, 17], carts: [105, 11, 17, 11], returns: [62, 9, 14, 9] } as const

describe.each(Object.entries(sizes))(
  'the catalogue of %s',
  (name, [attributes, sections, rules, wildcards]) => {
    const resource = loadCatalogue().get(name) as Resource
    const own = [...resource.attributes.values()].filter(({ aliasOf }) => aliasOf === undefined)

    it('has every attribute, filter section and rule of the interface', () => {
      const aliasWildcards = resource.alias === undefined ? [] : [`${resource.alias}.*`]
      expect(own).toHaveLength(attributes)
      expect([...resource.filters.keys()].filter((section) => section !== resource.alias)).toHaveLength(
        sections,
      )
      expect(resource.nestedByForbidden.size).toBe(rules)
      expect(resource.wildcards).toHaveLength(wildcards + aliasWildcards.length)
    })

    it('gives every attribute a column of its own', () => {
      const columns = own.map(({ place }) => place.column)
      expect(new Set(columns).size).toBe(columns.length)
    })

    it('expands every wildcard to something', () => {
      for (const wildcard of resource.wildcards) {
        const entity = wildcard.slice(0, -1)
        expect([...resource.attributes.keys()].some((path) => path.startsWith(entity))).toBe(true)
      }
    })

    it('reaches every nested section from its parent', () => {
      for (const section of resource.filters.keys()) {
        const [parent = '', child] = section.split('.')
        if (child === undefined) continue
        expect(resource.filters.get(parent)?.get(child)).toEqual({ kind: 'section', section })
      }
    })

    it('lets exactly the five operators of the contract compute on every amount', () => {
      for (const { path, type, operators } of resource.attributes.values()) {
        if (type !== 'float' || path === 'shipments.cost_amount') continue
        expect({ path, operators }).toEqual({ path, operators: ['avg', 'max', 'min', 'sum', 'stats'] })
      }
    })
  },
)

describe('the alias of a record', () => {
  const carts = loadCatalogue().get('carts') as Resource

  it('names every attribute and filter of the record again', () => {
    for (const [path, attribute] of carts.attributes) {
      if (!path.startsWith('order.')) continue
      const aliased = path.replace('order.', 'cart.')
      expect(carts.attributes.get(aliased)).toEqual({ ...attribute, path: aliased, aliasOf: path })
    }
    expect(carts.filters.get('cart')).toBe(carts.filters.get('order'))
    expect(carts.wildcards).toContain('cart.*')
  })

  it('is unknown to the other resources', () => {
    const orders = loadCatalogue().get('orders') as Resource
    expect(orders.filters.has('cart') || orders.attributes.has('cart.id')).toBe(false)
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
    const lists = { line_items: ['options'], shipments: ['tags', 'items'] }
    expect(placeOf(path, 'order', lists)).toEqual(place)
  })
})
