import { AppError } from '@merx/errors/app-error'
import { askedTree } from './asked-tree.ts'

const now = new Date(0)

test('an order is asked at one moment, and has its lines; a price is one itself', () => {
  const [one, two] = [{ id: 'a' }, { id: 'b' }]
  const root = { order: { customer: { id: 'c' }, line_items: [one, two] } }
  const asked = askedTree(root, now)
  expect([asked.root, asked.now, [...asked.lines]]).toEqual([root, now, [one, two]])
  expect(asked.find('order.line_items.id').map(({ value }) => value)).toEqual(['a', 'b'])
  expect(asked.find('order.line_items.id', [two]).map(({ value }) => value)).toEqual(['b'])
  const price = { id: 'p', line_items: [one] }
  expect([...askedTree({ price }, now).lines]).toEqual([price])
})

test('no more than half a million values are looked at, of each document', () => {
  // A look at 999 lines counts as 1,000.
  const root = { order: { line_items: Array.from({ length: 999 }, (_, id) => ({ id })) } }
  const asked = askedTree(root, now)
  for (let look = 0; look < 500; look += 1) asked.find('order.line_items')
  const error = ((): unknown => {
    try {
      return asked.find('order.nothing')
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(AppError)
  const message = 'must not look at more than 500,000 values at once: write fewer or narrower conditions'
  expect(error).toMatchObject({
    code: 'validation_error',
    title: message,
    detail: `rules ${message}`,
    source: { pointer: '/rules' },
    meta: { error: 'invalid' },
  })
  expect(askedTree(root, now).find('order.line_items')).toHaveLength(999)
  expect(() => askedTree(root, now, { values: 499_001 }).find('order.line_items')).toThrow(AppError)
  expect(askedTree(root, now, { values: 499_000 }).find('order.line_items')).toHaveLength(999)
})
