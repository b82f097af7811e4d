/**
 * Subscriptions against a naive model, over years of time that jumps: by minutes, over month ends and leap days, and over weeks in
 * which nothing runs. The model keeps a list of every time of the rhythm; the service must have made one order for each look that
 * found one or more of them passed.
 */
import fc from 'fast-check'
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { jumpingClock, subscriptionCalls } from './subscription-calls.ts'

let core: TestCore
const { clock, jumpTo } = jumpingClock()

beforeAll(async () => {
  core = await openCore('subscription_model', { clock })
})
afterAll(() => core.close())

const { change, read, ok, offer, subscribe, runJobs, madeOrders } = subscriptionCalls(() => core)

const DAY_MS = 86_400_000

const MONTHS: Readonly<Record<string, number>> = { monthly: 1, 'two-month': 2, 'three-month': 3, yearly: 12 }
const DAYS: Readonly<Record<string, number>> = { daily: 1, weekly: 7 }

/** Time number `n` after the anchor, counted on paper. */
const timeOf = (frequency: string, anchor: Date, n: number): Date => {
  const days = DAYS[frequency]
  if (days !== undefined) return new Date(anchor.getTime() + n * days * DAY_MS)
  const month = anchor.getUTCMonth() + n * (MONTHS[frequency] ?? 1)
  const last = new Date(Date.UTC(anchor.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const day = Math.min(anchor.getUTCDate(), last)
  return new Date(Date.UTC(anchor.getUTCFullYear(), month, day) + (anchor.getTime() % DAY_MS))
}

interface Model {
  readonly frequency: string
  anchor: Date
  now: Date
  /** The next time, as long as it is active. */
  next: Date | null
  orders: number
}

const nextAfter = ({ frequency, anchor }: Model, after: Date): Date => {
  if (anchor > after) return anchor
  for (let n = 0; ; n += 1) {
    const time = timeOf(frequency, anchor, n)
    if (time > after) return time
  }
}

type Step =
  | { readonly kind: 'jump'; readonly hours: number }
  | { readonly kind: 'rest' | 'resume' }
  | { readonly kind: 'move'; readonly hours: number }

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('jump' as const),
        hours: fc.integer({ min: 1, max: 24 * 50 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('rest' as const, 'resume' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('move' as const),
        hours: fc.integer({ min: 1, max: 24 * 40 }),
      }),
    },
  ),
  { minLength: 4, maxLength: 14 },
)

const hoursLater = (date: Date, hours: number): Date => new Date(date.getTime() + hours * 3_600_000)

const take = async (step: Step, model: Model, id: string): Promise<void> => {
  switch (step.kind) {
    case 'jump':
      model.now = hoursLater(model.now, step.hours)
      jumpTo(model.now.toISOString())
      await runJobs()
      if (model.next === null || model.next > model.now) return
      model.orders += 1
      model.next = nextAfter(model, model.now)
      return
    case 'rest':
      ok(await change('order_subscriptions', id, { _deactivate: true }))
      model.next = null
      return
    case 'resume':
      ok(await change('order_subscriptions', id, { _activate: true }))
      model.next ??= nextAfter(model, model.now)
      return
    case 'move': {
      if (model.next === null) return
      model.anchor = hoursLater(model.now, step.hours)
      model.next = model.anchor
      ok(await change('order_subscriptions', id, { next_run_at: model.anchor.toISOString() }))
    }
  }
}

test('every time makes one order, and none is made for a time that the model has not', async () => {
  const cases = fc.record({
    frequency: fc.constantFrom(...Object.keys(MONTHS), ...Object.keys(DAYS)),
    start: fc.constantFrom(
      '2027-01-31T10:00:00.000Z',
      '2028-02-29T23:30:00.000Z',
      '2027-03-28T01:30:00.000Z',
    ),
    steps,
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ frequency, start, steps: way }) => {
      await reseedShop(core.pool)
      jumpTo(start)
      await offer([frequency])
      const [id = ''] = (await subscribe([{ frequency }])).subscriptions
      const anchor = new Date(start)
      const model: Model = { frequency, anchor, now: anchor, next: null, orders: 0 }
      model.next = nextAfter(model, anchor)
      for (const step of way) {
        await take(step, model, id)
        const { next_run_at, occurrencies, errors_count } = await read('order_subscriptions', id)
        const seen = [next_run_at, occurrencies, errors_count, await madeOrders()]
        const orders = Array.from({ length: model.orders }, () => 'placed')
        expect(seen).toEqual([model.next?.toISOString() ?? null, model.orders + 1, 0, orders])
      }
    }),
    { numRuns: 8 },
  )
}, 120_000)
