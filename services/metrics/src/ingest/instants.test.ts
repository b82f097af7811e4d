import { dayOfWeek, secondsBetween } from './instants.ts'

describe('instants', () => {
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
