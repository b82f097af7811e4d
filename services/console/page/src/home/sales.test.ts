import { dayBefore, DAYS, everyDay, today } from './sales.ts'

const now = new Date('2026-11-27T08:15:00Z')

describe('the periods of Home', () => {
  it('are today until now, and the same hours of yesterday', () => {
    expect(today(now)).toEqual({ from: new Date('2026-11-27T00:00:00Z'), to: now })
    expect(dayBefore(today(now))).toEqual({
      from: new Date('2026-11-26T00:00:00Z'),
      to: new Date('2026-11-26T08:15:00Z'),
    })
  })
})

describe('the curve of Home', () => {
  it('has a value for each day, also where metrics has none', () => {
    const curve = everyDay(new Date('2026-10-29T00:00:00Z'), [
      { date: '2026-10-31T00:00:00.000Z', value: 12.5 },
      { date: '2026-11-27T00:00:00.000Z', value: 3 },
      { date: '2026-11-26T00:00:00.000Z', value: null },
    ])
    expect(curve).toHaveLength(DAYS)
    expect([curve[0], curve[2], curve[28], curve[29]]).toEqual([0, 12.5, 0, 3])
  })
})
