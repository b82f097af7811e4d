import { toCsv } from '../parts/csv.ts'
import { readQuestion } from './question.ts'
import { hasValues, splitsOf, toCells, toRows, totalsOf } from './result.ts'

const now = new Date('2026-11-27T08:15:00Z')
const heads = { value: 'Sum', before: 'Before' }

const byDay = readQuestion({
  ...{ kind: 'date_breakdown', by: 'order.placed_at', date: 'placed_at', interval: 'day' },
  ...{ field: 'order.total_amount', operator: 'sum', days: 7, compare: true },
})
const byCountry = readQuestion({
  ...{ kind: 'breakdown', by: 'order.country_code', field: 'order.total_amount', operator: 'sum' },
})

const day = (date: string, value: number) => ({ date: `${date}T00:00:00.000Z`, value })

describe('an answer over time', () => {
  const rows = toRows(
    byDay,
    now,
    [day('2026-11-22', 5), day('2026-11-27', 7)],
    [day('2026-11-15', 4), day('2026-11-14', 1)],
  )

  it('has every interval, next to the one of the period before', () => {
    expect(rows.map(({ key, value, before }) => [key.slice(5, 10), value, before])).toEqual([
      ['11-21', 0, 1],
      ['11-22', 5, 4],
      ['11-23', 0, 0],
      ['11-24', 0, 0],
      ['11-25', 0, 0],
      ['11-26', 0, 0],
      ['11-27', 7, 0],
    ])
    expect(totalsOf(byDay, rows)).toEqual({ now: 12, before: 5 })
  })

  it('has no average where nothing was, and no total of averages', () => {
    const average = { ...byDay, operator: 'avg' }
    const averages = toRows(average, now, [day('2026-11-22', 5)])
    expect(averages.map(({ value }) => value)).toEqual([null, 5, null, null, null, null, null])
    expect(totalsOf(average, averages)).toBeUndefined()
  })

  it('of a date other than that of the period is as metrics gave it', () => {
    const other = { ...byDay, by: 'shipments.shipped_at' }
    expect(toRows(other, now, [day('2027-01-01', 3)])).toMatchObject([
      { key: '2027-01-01T00:00:00.000Z', value: 3 },
    ])
  })
})

describe('an answer by group', () => {
  it('finds its groups in the period before; those that were not there had nothing', () => {
    const rows = toRows(
      byCountry,
      now,
      {
        'order.country_code': [
          { label: 'IT', value: 9 },
          { label: 'FR', value: 1 },
        ],
      },
      { 'order.country_code': [{ label: 'IT', value: 6 }] },
    )
    expect(rows.map(({ key, value, before }) => [key, value, before])).toEqual([
      ['IT', 9, 6],
      ['FR', 1, 0],
    ])
  })

  it('has its inner groups, the largest first', () => {
    const divided = { ...byCountry, split: 'order.status' }
    const inner = (...values: readonly (readonly [string, number])[]) => ({
      'order.status': values.map(([label, value]) => ({ label, value })),
    })
    const rows = toRows(divided, now, {
      'order.country_code': [
        { label: 'IT', value: 3, ...inner(['placed', 2], ['approved', 1]) },
        { label: 'FR', value: 9, ...inner(['approved', 9]) },
      ],
    })
    expect(splitsOf(rows)).toEqual(['approved', 'placed'])
    expect(toCsv(toCells(divided, rows, heads))).toBe(
      'Order: country code,Sum,approved,placed\r\nIT,3,1,2\r\nFR,9,9,\r\n',
    )
  })

  it('of several numbers shows the chosen one and lists all', () => {
    const stats = readQuestion({ ...byCountry, operator: 'stats', member: 'max' })
    const value = { count: 2, min: 1, max: 5, avg: 3, sum: 6 }
    const rows = toRows(stats, now, { 'order.country_code': [{ label: 'IT', value }] })
    expect(rows[0]?.value).toBe(5)
    expect(toCells(stats, rows, heads)[1]).toEqual(['IT', 2, 1, 5, 3, 6])
  })
})

it('one number is a row of its own', () => {
  const stats = readQuestion({ kind: 'stats', field: 'order.total_amount', operator: 'sum' })
  const rows = toRows(stats, now, { value: 12.5 }, { value: 10 })
  expect(rows).toMatchObject([{ key: '', value: 12.5, before: 10 }])
  expect(hasValues(toRows(stats, now, { value: null }))).toBe(false)
})

it('a file has no formula that a spreadsheet would run, and quotes what would break a line', () => {
  expect(toCsv([['=1+1', -5, 'a"b'], ['x,y', null, 'c\nd'], [null]])).toBe(
    `'=1+1,-5,"a""b"\r\n"x,y",,"c\nd"\r\n""\r\n`,
  )
})
