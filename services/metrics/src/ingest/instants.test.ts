import { dayOfWeek, isThere, secondsBetween, toMs } from './instants.ts'

describe('instants', () => {
  it.each([
    '1970-01-01T00:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '1960-02-29T00:00:00.001Z',
    '2000-02-29T12:00:00.500Z',
    '2000-03-01T00:00:00.000Z',
    '2022-06-27T06:01:32.361Z',
    '2100-03-01T00:00:00.000Z',
    '2298-12-31T23:59:59.999Z',
  ])('%s is as many milliseconds as Date says', (instant) => {
    expect(toMs(instant)).toBe(Date.parse(instant))
    expect(isThere(instant)).toBe(true)
  })

  it('every day of four centuries is as many milliseconds as Date says', () => {
    for (let at = Date.UTC(1901, 0, 1); at < Date.UTC(2299, 0, 1); at += 86_400_000) {
      const instant = new Date(at).toISOString()
      if (toMs(instant) !== at || !isThere(instant)) throw new Error(instant)
      if (dayOfWeek(instant) !== (new Date(at).getUTCDay() || 7)) throw new Error(`the day of ${instant}`)
    }
  })

  it.each([
    '2022-02-29T00:00:00.000Z',
    '2100-02-29T00:00:00.000Z',
    '2022-04-31T00:00:00.000Z',
    '2022-00-01T00:00:00.000Z',
    '2022-13-01T00:00:00.000Z',
    '2022-01-00T00:00:00.000Z',
    '2022-01-01T24:00:00.000Z',
    '2022-01-01T00:60:00.000Z',
    '2022-01-01T00:00:60.000Z',
  ])('%s is not there', (instant) => {
    expect(isThere(instant)).toBe(false)
  })

  it.each([
    ['2024-01-01T00:00:00.000Z', 1],
    ['2024-01-06T23:59:59.999Z', 6],
    ['2024-01-07T00:00:00.000Z', 7],
    ['1969-12-28T00:00:00.000Z', 7],
    [null, null],
  ])('the day of %s is %p', (instant, day) => {
    expect(dayOfWeek(instant)).toBe(day)
  })

  it('rounds durations to whole seconds', () => {
    expect(secondsBetween('2022-01-01T00:00:00.000Z', '2022-01-01T00:00:08.800Z')).toBe(9)
    expect(secondsBetween('2022-01-01T00:00:00.000Z', '2022-01-01T00:00:01.417Z')).toBe(1)
    expect(secondsBetween(null, '2022-01-01T00:00:01.417Z')).toBeNull()
  })
})
