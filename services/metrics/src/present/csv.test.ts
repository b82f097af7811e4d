import type { Attribute } from '../catalogue/attribute.ts'
import { loadCatalogue } from '../catalogue/load-catalogue.ts'
import { toHeader, toLines as linesOf } from './csv.ts'

const at = (path: string): Attribute => {
  const found = loadCatalogue().get('orders')?.attributes.get(path)
  if (found === undefined) throw new Error(path)
  return found
}

const toLines = (
  ...[fields, keys, rows]: [
    Parameters<typeof linesOf>[0],
    Parameters<typeof linesOf>[1],
    Parameters<typeof linesOf>[2],
  ]
) => linesOf(fields, keys, rows, { escapesFormulas: true })

const fields = [
  'order.id',
  'customer.email',
  'order.placed_at',
  'order.guest',
  'order.total_amount',
  'order.skus_count',
  'tags.name',
].map(at)

const row = (id: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  key0: '2021-01-01 00:00:00.000',
  key1: id,
  id,
  customer_email: 'ann@example.com',
  placed_at: '2022-06-27 06:01:32.361',
  guest: false,
  total_amount: '19.9',
  skus_count: '3',
  'tags.name': ['vip', 'gift'],
  ...changes,
})
const keys = (...ids: readonly string[]) => ids.map((id) => ['2021-01-01 00:00:00.000', id])

describe('the lines of an export', () => {
  it('begin with the paths of the fields', () => {
    expect(toHeader(fields)).toBe(
      'order.id,customer.email,order.placed_at,order.guest,order.total_amount,order.skus_count,tags.name\r\n',
    )
  })

  it('show dates as the rest of the interface does, amounts exactly, many values in one cell', () => {
    expect(toLines(fields, keys('a'), [row('a')])).toBe(
      'a,ann@example.com,2022-06-27T06:01:32.361Z,false,19.9,3,"vip,gift"\r\n',
    )
  })

  it('leave a cell empty that has no value', () => {
    const bare = row('a', { customer_email: null, placed_at: null, 'tags.name': [] })
    expect(toLines(fields, keys('a'), [bare])).toBe('a,,,false,19.9,3,\r\n')
  })

  it('keep a record whose only cell is empty', () => {
    const rows = ['a', 'b', 'c'].map((id) => row(id, { customer_email: id === 'b' ? null : `${id}@x` }))
    const text = toLines([at('customer.email')], keys('a', 'b', 'c'), rows)
    expect(text).toBe('a@x\r\n""\r\nc@x\r\n')
  })

  it.each([
    ['a comma', 'a,b', '"a,b"'],
    ['a quote', 'a"b', '"a""b"'],
    ['a line break', 'a\nb', '"a\nb"'],
    ['a carriage return', 'a\rb', '"a\rb"'],
    ['a space at an end', ' a', '" a"'],
    ['a formula', '=1+1', "'=1+1"],
    ['a formula with a comma', '=A(1,2)', '"\'=A(1,2)"'],
    ['a tab', '\t=1', "'\t=1"],
    ['letters of any script', 'Élodie 東京', 'Élodie 東京'],
  ])('quote %s as RFC 4180 says', (_name, text, cell) => {
    expect(toLines([at('customer.email')], keys('a'), [row('a', { customer_email: text })])).toBe(
      `${cell}\r\n`,
    )
  })

  it('follow the order of the keys, and skip a record that is gone', () => {
    expect(toLines([at('order.id')], keys('b', 'gone', 'a'), [row('a'), row('b')])).toBe('b\r\na\r\n')
  })

  it('are none when there are no records', () => {
    expect(toLines(fields, [], [])).toBe('')
  })

  it('are texts as they are stored on request', () => {
    const rows = [row('a', { customer_email: '=1+1' })]
    expect(linesOf([at('customer.email')], keys('a'), rows, { escapesFormulas: false })).toBe('=1+1\r\n')
  })

  it('never escape numbers', () => {
    expect(toLines([at('order.total_amount')], keys('a'), [row('a', { total_amount: '-5.00' })])).toBe(
      '-5.00\r\n',
    )
  })
})
