import { nextChangeOf, topicsOf } from './scheduler-status.ts'
import type { Scheduler } from './scheduler-status.ts'

const day = (text: string): Date => new Date(`2026-11-${text}T00:00:00Z`)
const NOW = day('20')

const scheduler = (startsAt: Date, expiresAt: Date, more: Partial<Scheduler> = {}): Scheduler => ({
  id: 1,
  environment_id: 1,
  name: 'Sale',
  starts_at: startsAt,
  expires_at: expiresAt,
  disabled_at: null,
  status_changes_at: null,
  market_id: 1,
  price_list_id: 1,
  reference: null,
  reference_origin: null,
  metadata: {},
  created_at: NOW,
  updated_at: NOW,
  ...more,
})

const pending = scheduler(day('21'), day('22'), { status_changes_at: day('21') })
const active = scheduler(day('19'), day('22'), { status_changes_at: day('22') })
const expired = scheduler(day('18'), day('19'))
const disabled = scheduler(day('19'), day('22'), { disabled_at: day('20') })

describe('nextChangeOf', () => {
  it.each([
    ['pending', pending, day('21')],
    ['active from this instant on', scheduler(NOW, day('22')), day('22')],
    ['active', active, day('22')],
    ['expired at this instant', scheduler(day('18'), NOW), null],
    ['expired', expired, null],
    ['disabled', disabled, null],
  ])('of one that is %s', (_status, period, expected) => {
    expect(nextChangeOf(period, NOW)).toEqual(expected)
  })
})

describe('topicsOf', () => {
  const ACTIVATED = ['price_list_schedulers.activated']
  const EXPIRED = ['price_list_schedulers.expired']

  it.each([
    ['a new one that is active', undefined, active, ACTIVATED],
    ['a new one that is pending', undefined, pending, []],
    ['a new one that is over', undefined, expired, []],
    ['pending that becomes active', pending, active, ACTIVATED],
    ['pending that was never active', pending, expired, EXPIRED],
    ['active that expires', active, expired, EXPIRED],
    ['active that stays so', active, scheduler(day('19'), day('30')), []],
    ['active that waits again', active, pending, []],
    ['active that is disabled', active, disabled, []],
    ['disabled that is enabled', disabled, active, ACTIVATED],
    ['disabled whose time is over', disabled, expired, []],
    ['expired that gets a later end', expired, active, ACTIVATED],
  ])('of %s', (_change, before, after, expected) => {
    expect(topicsOf(before, after, NOW)).toEqual(expected)
  })

  it('of one whose time came before the sweep did', () => {
    const late = scheduler(day('19'), day('22'), { status_changes_at: day('19') })
    expect(topicsOf(late, late, NOW)).toEqual(ACTIVATED)
  })
})
