import { testIds } from '@merx/jsonapi/fixtures/ids'
import { areas } from '../../areas.ts'
import { createRegistry } from '../../engine/registry.ts'
import type { Item } from './import-item.ts'
import { readItem } from './read-item.ts'

const registry = createRegistry(areas, { ids: testIds })

const read = (type: string, item: Item, options: Parameters<typeof readItem>[3] = { isText: false }) =>
  readItem(item, registry.require(type), registry, options)

describe('an item of an import', () => {
  it('has attributes, triggers, an id and relationships by id', () => {
    const item = read('skus', {
      id: 'abcdefghij',
      type: 'skus',
      code: 'A',
      metadata: { a: 1 },
      shipping_category_id: 'category',
      _add_tags: 'x,y',
      tags_ids: 'one, two',
    })
    expect(item).toMatchObject({ id: 'abcdefghij', errors: {}, warnings: {} })
    expect([...item.attributes]).toEqual([
      ['code', 'A'],
      ['metadata', { a: 1 }],
    ])
    expect([...item.triggers]).toEqual([['_add_tags', 'x,y']])
    expect(item.toOne.get('shipping_category')).toEqual({ type: 'shipping_categories', id: 'category' })
    expect(item.toMany.get('tags')).toEqual([
      { type: 'tags', id: 'one' },
      { type: 'tags', id: 'two' },
    ])
  })

  it('takes texts as the numbers and booleans that they mean', () => {
    const { attributes } = read('skus', { code: '7', weight: '180.0', do_not_ship: 'false' })
    expect(Object.fromEntries(attributes)).toEqual({ code: '7', weight: 180, do_not_ship: false })
  })

  it('names targets by an attribute that is unique', () => {
    expect(read('prices', { 'price_list.code': 'eu' }).named).toMatchObject([
      { relationship: 'price_list', attribute: 'code', values: ['eu'] },
    ])
    expect(read('skus', { 'tags.name': 'a,b' }).named).toMatchObject([{ values: ['a', 'b'] }])
    expect(read('prices', { 'price_list.name': 'EU' }).errors).toEqual({
      'price_list.name': ['"name" does not tell one resource from another'],
    })
    expect(read('prices', { 'price_list.code': 7 }).errors).toEqual({ 'price_list.code': ['must be a text'] })
  })

  it('takes ticks as true, and nothing for nothing', () => {
    expect([...read('orders', { _archive: 1, _unarchive: 0, _refresh: false }).triggers]).toEqual([
      ['_archive', true],
    ])
  })

  it('leaves out with a warning what an export has besides', () => {
    const { attributes, warnings, errors } = read('prices', {
      created_at: '2026-01-01',
      formatted_amount: '€1,00',
      amount_float: 1,
      sku: { id: 'x' },
    })
    expect([attributes.size, errors]).toEqual([0, {}])
    expect(Object.keys(warnings)).toEqual(['created_at', 'formatted_amount', 'amount_float', 'sku'])
  })

  it('names a target by what an export included of it, unless another key names it', () => {
    const named = [{ relationship: 'price_list', attribute: 'code', values: ['eu'], isIncluded: true }]
    const price_list = { id: 'x', name: 'EU', code: 'eu' }
    expect(read('prices', { price_list })).toMatchObject({ named, warnings: {}, errors: {} })
    const cell = JSON.stringify(price_list)
    expect(read('prices', { price_list: cell }, { isText: true })).toMatchObject({ named, warnings: {} })
    expect(read('prices', { price_list, price_list_id: 'y' }).named).toEqual([])
    expect(read('prices', { price_list, 'price_list.code': 'us' }).named).toMatchObject([{ values: ['us'] }])
    const tags = [{ name: 'red' }, { name: 'blue' }]
    expect(read('skus', { tags }).named).toMatchObject([{ attribute: 'name', values: ['red', 'blue'] }])
  })

  it.each([
    ['nothing unique', { price_list: { name: 'EU' } }],
    ['no value of it', { price_list: { code: null } }],
    ['no record', { price_list: 'eu' }],
    ['no records', { price_list: [] }],
  ])('leaves out with a warning what was included with %s', (_case, item) => {
    const message = 'has nothing unique to find its record by, and was left out'
    expect(read('prices', item)).toMatchObject({ named: [], errors: {}, warnings: { price_list: [message] } })
  })

  it('may set the state of an order, which nobody else may', () => {
    expect([...read('orders', { status: 'placed' }).attributes]).toEqual([['status', 'placed']])
  })

  it.each([
    ['an unknown name', { colour: 'red' }, 'colour', 'is no attribute or relationship of skus'],
    ['a number as id', { id: 1 }, 'id', 'must be a string'],
    ['another type', { type: 'prices' }, 'type', 'must be skus'],
    [
      'an object as id of a relationship',
      { shipping_category_id: {} },
      'shipping_category_id',
      'must be the id of a resource',
    ],
    [
      'no list of ids',
      { tags_ids: [1] },
      'tags_ids',
      'must be a list of ids, or a text with commas between them',
    ],
  ])('refuses %s', (_case, item, key, message) => {
    expect(read('skus', item).errors).toEqual({ [key]: [message] })
  })

  it('names the types a relationship of several types may lead to', () => {
    expect(read('line_items', { item_type: 'skus', item_id: 'x' }).toOne.get('item')).toEqual({
      type: 'skus',
      id: 'x',
    })
  })

  it.each([
    ['orders', 'payment_source', { payment_source_type: null, payment_source_id: null }],
    ['orders', 'payment_source', { payment_source_id: null }],
    ['orders', 'payment_source', { payment_source_type: null }],
    ['line_items', 'item', { item_type: null, item_id: null }],
    ['line_items', 'item', { item_id: null, item_type: null, sku_code: 'A' }],
  ])('of %s has no %s when an export says null', (type, name, item) => {
    const { toOne, errors, warnings } = read(type, item)
    expect([...toOne]).toEqual([[name, null]])
    expect({ errors, warnings }).toEqual({ errors: {}, warnings: {} })
  })

  it('may have the type of an item without a record', () => {
    const { toOne, attributes, errors } = read('line_items', { item_type: 'adjustments', item_id: null })
    expect([[...toOne], [...attributes], errors]).toEqual([[], [['item_type', 'adjustments']], {}])
  })

  it.each(['__proto__', 'constructor', 'toString'])('has no attribute called %s', (key) => {
    const { errors } = read('skus', JSON.parse(`{"${key}":1,"code":"A"}`) as Record<string, unknown>)
    expect(Object.entries(errors)).toEqual([[key, ['is no attribute or relationship of skus']]])
  })

  it('takes both halves of a link in either order', () => {
    const halves = { payment_source_id: 'x', payment_source_type: 'wire_transfers' }
    expect(read('orders', halves).toOne.get('payment_source')).toEqual({ type: 'wire_transfers', id: 'x' })
  })

  it.each([
    ['payment_source_type', /^must be one of /, { payment_source_id: 'x' }],
    ['payment_source_type', /^must be one of /, { payment_source_type: null, payment_source_id: 'x' }],
    ['payment_source_type', /^must be one of /, { payment_source_type: 'skus', payment_source_id: null }],
    ['payment_source_id', /^must be the id/, { payment_source_type: 'wire_transfers' }],
    [
      'payment_source_id',
      /^must be the id/,
      { payment_source_type: 'wire_transfers', payment_source_id: {} },
    ],
  ])('refuses half a link, naming %s', (key, message, item) => {
    const { errors, toOne } = read('orders', item)
    expect(toOne.size).toBe(0)
    expect(errors).toEqual({ [key]: [expect.stringMatching(message)] })
  })

  it('holds nested items where its type takes them', () => {
    const options = { isText: false, children: ['line_items'] }
    expect(read('orders', { line_items: [{ quantity: 1 }] }, options).nested.get('line_items')).toEqual([
      { quantity: 1 },
    ])
    expect(read('orders', { line_items: [1] }, options).errors).toEqual({
      line_items: ['must be a list of objects'],
    })
    expect(read('orders', { line_items: Array.from({ length: 501 }, () => ({})) }, options).errors).toEqual({
      line_items: ['must be less than or equal to 500 items'],
    })
    expect(read('orders', { line_items: [] }).warnings).toHaveProperty('line_items')
  })

  it('from a text has no empty cells and reads the others by the kind of the attribute', () => {
    const options = { isText: true }
    const cells = {
      code: '1',
      description: '',
      weight: ' 1.5',
      pieces_per_pack: 'six',
      do_not_ship: 'T',
      metadata: '{"a":1}',
    }
    expect(Object.fromEntries(read('skus', cells, options).attributes)).toEqual({
      code: '1',
      weight: 1.5,
      pieces_per_pack: 'six',
      do_not_ship: true,
      metadata: { a: 1 },
    })
    expect(Object.fromEntries(read('skus', { do_not_ship: '0', metadata: '{' }, options).attributes)).toEqual(
      {
        do_not_ship: false,
        metadata: '{',
      },
    )
  })
})
