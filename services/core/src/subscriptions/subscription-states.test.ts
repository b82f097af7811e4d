import { transitionEffects } from '../../test/support/transition-effects.ts'
import { transitionTable } from '../../test/support/transition-table.ts'
import { rowOf } from '../engine/database/rows.ts'
import { transition } from '../states/transition.ts'
import { inStockStates } from './in-stock-states.ts'
import { orderCopyStates, recurringOrderCopyStates, statesOfCopy } from './order-factory-states.ts'
import { orderSubscriptionStates } from './order-subscription-states.ts'

const [same, x] = ['repeated', 'invalid_transition']

test('every status of an in-stock subscription, with every trigger', async () => {
  expect(await transitionTable(inStockStates, {})).toEqual({
    active: { _activate: same, _deactivate: 'inactive' },
    inactive: { _activate: 'active', _deactivate: same },
    notified: { _activate: x, _deactivate: x },
  })
})

test('every status of a subscription, with every trigger', async () => {
  const subscription = rowOf('OrderSubscription', {
    frequency: 'monthly',
    anchor_at: null,
    starts_at: new Date('2026-01-31T08:00:00Z'),
    expires_at: null,
    last_run_at: null,
  })
  const now = new Date('2026-02-10T00:00:00Z')
  expect(await transitionTable(orderSubscriptionStates, { subscription, now })).toEqual({
    draft: { _activate: 'active', _deactivate: x, _cancel: 'cancelled' },
    inactive: { _activate: 'active', _deactivate: same, _cancel: 'cancelled' },
    active: { _activate: same, _deactivate: 'inactive', _cancel: 'cancelled' },
    running: { _activate: x, _deactivate: x, _cancel: 'cancelled' },
    cancelled: { _activate: x, _deactivate: x, _cancel: same },
  })
})

test.each([orderCopyStates, recurringOrderCopyStates])(
  'a copy is moved by workers alone, and has no triggers',
  async (machine) => {
    expect(await transitionTable(machine, { now: new Date(0) })).toEqual(
      Object.fromEntries(machine.states.map((state) => [state, {}])),
    )
  },
)

test('every transition of an in-stock subscription, with what it changes', async () => {
  expect(await transitionEffects(inStockStates, {})).toEqual({
    initial: 'active',
    activate: ['anybody', 'inactive', { status: 'active' }, 'in_stock_subscriptions.activate'],
    deactivate: ['anybody', 'active', { status: 'inactive' }, 'in_stock_subscriptions.deactivate'],
    notify: ['code', 'active', { status: 'notified' }, 'in_stock_subscriptions.notify'],
  })
})

test.each(['order_copies', 'recurring_order_copies'])(
  'every transition of %s, with what it changes',
  async (type) => {
    const now = new Date(0)
    const to = (status: string, column: string) => ({ status, [column]: now })
    expect(await transitionEffects(statesOfCopy(type), { now })).toEqual({
      initial: 'pending',
      start: ['code', 'pending', to('in_progress', 'started_at'), `${type}.start`],
      complete: ['code', 'in_progress', to('completed', 'completed_at'), `${type}.complete`],
      fail: ['code', 'in_progress', to('failed', 'failed_at'), `${type}.fail`],
      abort: ['code', 'pending', { status: 'aborted' }, ''],
    })
  },
)

describe('a subscription', () => {
  const at = (text: string): Date => new Date(`2026-${text}:00Z`)
  const now = at('02-10T00:00')
  const unscheduled = { next_run_at: null, renewal_alert_at: null }
  const NEW = {
    frequency: 'monthly',
    anchor_at: null,
    starts_at: at('01-31T08:00'),
    expires_at: null,
    last_run_at: null,
    next_run_at: null,
    renewal_alert_period: 2,
    activate_by_source_order: false,
    occurrencies: null,
    errors_count: null,
    retries_count: 0,
    options: null,
  }
  type Columns = Readonly<Partial<Record<keyof typeof NEW, unknown>>>

  const subjectOf = (more: Columns, placedAt?: Date | null) => ({
    subscription: rowOf('OrderSubscription', { ...NEW, ...more }),
    now,
    ...(placedAt === undefined ? {} : { placedAt }),
  })
  const after = async (
    name: keyof typeof orderSubscriptionStates.transitions,
    status: string,
    more: Columns = {},
    placedAt?: Date | null,
  ) => {
    const request = { start: { transition: name }, subject: subjectOf(more, placedAt) }
    return transition(orderSubscriptionStates, { status }, request)
  }
  const begun = async (more: Columns, placedAt?: Date | null) =>
    (await after('activate', 'draft', more, placedAt)).set

  test('has these transitions, of which three run it', async () => {
    const { initial, ...effects } = await transitionEffects(orderSubscriptionStates, subjectOf({}))
    expect(initial).toBe('draft')
    expect(effects).toMatchObject({
      activate: ['anybody', 'draft inactive', { status: 'active' }, 'order_subscriptions.activate'],
      deactivate: ['anybody', 'active', { status: 'inactive' }, 'order_subscriptions.deactivate'],
      cancel: [
        'anybody',
        'draft inactive active running',
        { status: 'cancelled' },
        'order_subscriptions.cancel',
      ],
      run: ['code', 'active', { status: 'running' }, ''],
      succeed: ['code', 'running', { status: 'active' }, 'order_subscriptions.last_run_succeeded'],
      fail: ['code', 'running', { status: 'active' }, 'order_subscriptions.last_run_failed'],
    })
    expect(Object.keys(effects)).toHaveLength(6)
  })

  test('begins at its start, and is announced before', async () => {
    expect(await begun({})).toEqual({
      status: 'active',
      anchor_at: at('01-31T08:00'),
      retries_count: 0,
      next_run_at: at('02-28T08:00'),
      renewal_alert_at: at('02-28T06:00'),
    })
  })

  test('keeps the rhythm that it had before its start', async () => {
    expect(await begun({ anchor_at: at('01-05T08:00') })).toMatchObject({
      anchor_at: at('01-05T08:00'),
      next_run_at: at('03-05T08:00'),
    })
  })

  test('that starts now runs now, unless it has run', async () => {
    expect(await begun({ starts_at: now })).toMatchObject({ next_run_at: now })
    expect(await begun({ starts_at: now, last_run_at: at('01-10T00:00') })).toMatchObject({
      next_run_at: at('03-10T00:00'),
    })
  })

  test('without a start begins with the placing of its source order, which is no run', async () => {
    const set = await begun({ starts_at: null }, now)
    expect(set).toMatchObject({ anchor_at: now, next_run_at: at('03-10T00:00') })
    expect(set).not.toHaveProperty('occurrencies')
  })

  test('that its source order activates counts that as its first run', async () => {
    const bySource = { starts_at: now, activate_by_source_order: true }
    const first = { last_run_at: at('02-09T00:00'), occurrencies: 1, succeeded_on_last_run: true }
    expect(await begun(bySource, at('02-09T00:00'))).toMatchObject({
      ...first,
      next_run_at: at('03-10T00:00'),
    })
    for (const [more, placedAt] of [
      [{ occurrencies: 3 }, at('02-09T00:00')],
      [{}, null],
      [{}, undefined],
      [{ activate_by_source_order: false }, at('02-09T00:00')],
    ] as const)
      expect(await begun({ ...bySource, ...more }, placedAt)).not.toHaveProperty('last_run_at')
  })

  test('does not begin without a start, nor after its end', async () => {
    const { violations } = await after('activate', 'draft', { starts_at: null, expires_at: now })
    expect(violations).toEqual([
      {
        at: { attribute: 'starts_at' },
        error: 'blank',
        message: "can't be blank, unless the source order was placed",
      },
      { at: { attribute: 'expires_at' }, error: 'expired', message: 'is in the past' },
    ])
    expect((await after('activate', 'draft', { expires_at: at('02-10T00:01') })).violations).toEqual([])
  })

  test.each(['deactivate', 'cancel'] as const)('has no next run after %s', async (name) => {
    const status = name === 'cancel' ? 'cancelled' : 'inactive'
    expect((await after(name, 'active')).set).toEqual({ status, ...unscheduled, retries_count: 0 })
  })

  test.each([
    [{}, 1],
    [{ occurrencies: 3 }, 4],
    [{ occurrencies: 3, retries_count: 1 }, 3],
  ])('of %j runs for the time %d', async (more, occurrencies) => {
    expect((await after('run', 'active', { ...more, anchor_at: at('01-31T08:00') })).set).toEqual({
      status: 'running',
      last_run_at: now,
      occurrencies,
      next_run_at: at('02-28T08:00'),
      renewal_alert_at: at('02-28T06:00'),
    })
  })

  test('goes on after a run', async () => {
    expect((await after('succeed', 'running')).set).toEqual({
      status: 'active',
      succeeded_on_last_run: true,
      retries_count: 0,
    })
  })

  describe('that failed', () => {
    const failed = { status: 'active', succeeded_on_last_run: false }
    const options = { max_retries: 2, retry_after_hours: 24 }
    const retried = {
      next_run_at: at('02-11T00:00'),
      renewal_alert_at: at('02-10T22:00'),
      retries_count: 1,
    }
    test.each([
      ['waits for the next run', { errors_count: 3 }, { errors_count: 4, retries_count: 0 }],
      ['is tried again', { options }, { errors_count: 1, ...retried }],
      [
        'is tried again, before the next run',
        { options, next_run_at: at('02-28T08:00') },
        { errors_count: 1, ...retried },
      ],
      [
        'is tried again, once more',
        { options, retries_count: 1 },
        { errors_count: 1, ...retried, retries_count: 2 },
      ],
      ['is not tried a third time', { options, retries_count: 2 }, { errors_count: 1, retries_count: 0 }],
      [
        'runs with the next run instead',
        { options, next_run_at: at('02-11T00:00') },
        { errors_count: 1, retries_count: 0 },
      ],
      ['is over by then', { options, expires_at: at('02-11T00:00') }, { errors_count: 1, retries_count: 0 }],
    ])('%s', async (_case, more, expected) => {
      expect((await after('fail', 'running', more)).set).toEqual({ ...failed, ...expected })
    })
  })
})
