import { intervalsOf, periodBefore, periodOf, startOfInterval, zoomInto } from './period.ts'

const now = new Date('2026-11-27T08:15:00Z')

describe('the period of a question', () => {
  it('is the last days until now, and before it as many days until the same hour', () => {
    const period = periodOf({ days: 7 }, now)
    expect(period).toEqual({ from: new Date('2026-11-21T00:00:00Z'), to: now })
    expect(periodBefore(period)).toEqual({
      from: new Date('2026-11-14T00:00:00Z'),
      to: new Date('2026-11-20T08:15:00Z'),
    })
  })

  it('is whole days, and before it as many', () => {
    const period = periodOf({ days: 7, from: '2026-02-01', to: '2026-02-28' }, now)
    expect(periodBefore(period)).toEqual({
      from: new Date('2026-01-04T00:00:00Z'),
      to: new Date('2026-01-31T23:59:59Z'),
    })
  })
})

describe('intervals', () => {
  const time = new Date('2026-11-29T23:10:00Z') // a Sunday

  it.each([
    ['hour', '2026-11-29T23:00:00.000Z'],
    ['day', '2026-11-29T00:00:00.000Z'],
    ['week', '2026-11-23T00:00:00.000Z'],
    ['month', '2026-11-01T00:00:00.000Z'],
    ['year', '2026-01-01T00:00:00.000Z'],
  ])('of a %s begin as those of metrics', (interval, start) => {
    expect(startOfInterval(time, interval).toISOString()).toBe(start)
  })

  it('are all those of a period', () => {
    const period = { from: new Date('2025-12-31T12:00:00Z'), to: new Date('2026-02-01T00:00:00Z') }
    expect(intervalsOf(period, 'month').map((start) => start.slice(0, 7))).toEqual([
      '2025-12',
      '2026-01',
      '2026-02',
    ])
    expect(intervalsOf(period, 'day')).toHaveLength(33)
    expect(intervalsOf(period, 'week')).toHaveLength(5)
  })

  it('can be asked about alone, in finer ones', () => {
    expect(zoomInto('2026-02-01T00:00:00.000Z', 'month')).toEqual({
      ...{ from: '2026-02-01', to: '2026-02-28', interval: 'day' },
    })
    expect(zoomInto('2026-02-02T00:00:00.000Z', 'week')).toEqual({
      ...{ from: '2026-02-02', to: '2026-02-08', interval: 'day' },
    })
    expect(zoomInto('2026-02-02T10:00:00.000Z', 'hour')).toBeUndefined()
  })
})
