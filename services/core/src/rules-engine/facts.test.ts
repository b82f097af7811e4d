import { factsAt, isJson } from './facts.ts'

const [hat, cap] = [
  { code: 'HAT', tags: [{ name: 'warm' }, { name: 'red' }] },
  { code: 'CAP', tags: [] },
]
const [one, two, three] = [
  { quantity: 1, sku: hat },
  { quantity: 2, sku: cap },
  { quantity: 3, sku: null },
]
const order = { number: 'A1', line_items: [one, two, three], codes: ['x', 'y'], none: undefined }
const root = { order }

const valuesAt = (path: string, within?: Parameters<typeof factsAt>[2]) =>
  factsAt(root, path, within).map(({ value }) => value)

test('a path leads to a value for each way there, with the objects that were passed', () => {
  expect(factsAt(root, 'order.number')).toEqual([{ value: 'A1', chain: [order] }])
  expect(factsAt(root, 'order')).toEqual([{ value: order, chain: [order] }])
  expect(factsAt(root, 'order.line_items.sku.code')).toEqual([
    { value: 'HAT', chain: [order, one, hat] },
    { value: 'CAP', chain: [order, two, cap] },
    { value: null, chain: [order, three] },
  ])
})

test.each([
  ['order.codes', ['x', 'y']],
  ['order.none', [null]],
  ['order.nothing.at.all', [null]],
  ['order.number.length', [null]],
  ['order.constructor', [null]],
  ['order.line_items.sku.tags.name', ['warm', 'red', null]],
])('%s leads to %j', (path, values) => {
  expect(valuesAt(path)).toEqual(values)
})

test('a way goes on where it has been', () => {
  expect(valuesAt('order.line_items.quantity', [order, two])).toEqual([2])
  expect(valuesAt('order.line_items.sku.tags.name', [one])).toEqual(['warm', 'red'])
  expect(valuesAt('order.line_items.quantity', [hat])).toEqual([1, 2, 3])
})

test.each([
  [true, {}],
  [false, []],
  [false, null],
  [false, 'text'],
  [false, undefined],
])('%s: %j is an object', (expected, value) => {
  expect(isJson(value)).toBe(expected)
})
