import { withBalanceEntry, withUsageEntry } from './logs.ts'

const now = new Date('2026-11-28T12:00:00Z')
const entry = (minute: number) => ({
  action: 'use' as const,
  amount_cents: -1,
  balance_cents: 0,
  order_number: 'N',
  datetime: `2026-11-28T12:${String(minute % 60).padStart(2, '0')}:00.000Z`,
})

test('a balance log keeps its newest hundred entries', () => {
  let log: unknown = []
  for (let cents = 1; cents <= 120; cents += 1) log = withBalanceEntry(log, cents, now)
  expect(log).toHaveLength(100)
  expect((log as readonly unknown[]).at(0)).toEqual({ datetime: now.toISOString(), balance_change_cents: 21 })
})

test('a usage log keeps the orders that used the card last, and the newest entries of each', () => {
  let log: unknown = {}
  // The first order in the log is the one that used the card last.
  log = withUsageEntry(log, 'order-0', entry(59))
  for (let at = 1; at <= 120; at += 1) log = withUsageEntry(log, `order-${at}`, entry(at % 50))
  const orders = Object.keys(log as object)
  expect(orders).toHaveLength(100)
  expect(orders).toContain('order-0')
  expect(orders.at(-1)).toBe('order-120')
  for (let at = 0; at < 30; at += 1) log = withUsageEntry(log, 'order-0', entry(at))
  expect((log as Record<string, readonly unknown[]>)['order-0']).toHaveLength(20)
})
