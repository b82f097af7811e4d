import { PROMOTION_STATUSES, statusOf } from './promotion-status.ts'

const now = new Date('2026-11-28T12:00:00Z')
const minutes = (count: number): Date => new Date(now.getTime() + count * 60_000)

const promotion = {
  starts_at: minutes(-10),
  expires_at: minutes(10),
  disabled_at: null,
  total_usage_reached: false,
}

test.each([
  ['active', {}],
  ['active', { starts_at: now }],
  ['active', { total_usage_reached: null }],
  ['inactive', { total_usage_reached: true }],
  ['pending', { starts_at: minutes(1), total_usage_reached: true }],
  ['expired', { expires_at: now, total_usage_reached: true }],
  ['disabled', { disabled_at: minutes(-1), expires_at: minutes(-1), total_usage_reached: true }],
])('a promotion is %s with %j', (status, more) => {
  expect(statusOf({ ...promotion, ...more }, now)).toBe(status)
})

test('every status that a promotion can have is listed', () => {
  expect(PROMOTION_STATUSES).toEqual(['disabled', 'expired', 'pending', 'active', 'inactive'])
})
