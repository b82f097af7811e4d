import { DEMO_DAYS, instantsOfDay, ordersPerDay } from './calendar.ts'
import { createRandom, skewed } from './random.ts'

const now = new Date('2026-11-20T10:00:00.000Z')

test.each([1, 999, 50_000])('%d orders are spread over three years that end now', (count) => {
  const days = ordersPerDay(count, now)
  expect(days.reduce((sum, { orders }) => sum + orders, 0)).toBe(count)
  expect(days).toHaveLength(DEMO_DAYS)
  expect(days.at(-1)?.day).toEqual(new Date('2026-11-20T00:00:00.000Z'))
})

test('there are seasons, weekdays and growth', () => {
  const days = ordersPerDay(1_000_000, now)
  const sum = (is: (day: Date) => boolean): number =>
    days.filter(({ day }) => is(day)).reduce((total, { orders }) => total + orders, 0)
  expect(sum((day) => day.getUTCMonth() === 11)).toBeGreaterThan(1.3 * sum((day) => day.getUTCMonth() === 7))
  expect(sum((day) => day.getUTCDay() === 0)).toBeGreaterThan(1.1 * sum((day) => day.getUTCDay() === 5))
  expect(sum((day) => day.getUTCFullYear() === 2025)).toBeGreaterThan(
    sum((day) => day.getUTCFullYear() === 2024),
  )
})

test('instants ascend and are never in the future', () => {
  const instants = instantsOfDay(createRandom('x'), new Date('2026-11-20T00:00:00.000Z'), 500, now)
  expect([...instants].sort((a, b) => a.getTime() - b.getTime())).toEqual(instants)
  expect(instants.every((instant) => instant <= now)).toBe(true)
})

test('the same seed draws the same, another one does not', () => {
  const draw = (seed: string): readonly number[] => {
    const random = createRandom(seed)
    return Array.from({ length: 5 }, () => random.next())
  }
  expect(draw('a')).toEqual(draw('a'))
  expect(draw('a')).not.toEqual(draw('b'))
  expect(createRandom('a').fork('x').next()).not.toBe(createRandom('a').fork('y').next())
})

test('skewed draws favour the front and reach the end', () => {
  const random = createRandom('skew')
  const draw = skewed(100, 0.9)
  const drawn = Array.from({ length: 20_000 }, () => draw(random))
  const count = (position: number): number => drawn.filter((each) => each === position).length
  expect(count(0)).toBeGreaterThan(5 * count(50))
  expect(new Set(drawn).size).toBe(100)
})
