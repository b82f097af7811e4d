/**
 * Sequences of requests and of time that jumps against a reference of promotions, gift cards, returns and subscriptions
 * (test/support/after-sales-model.ts): each is answered as predicted, and after each the books agree. MERX_MODEL_SEQUENCES says
 * how many, MERX_MODEL_SEED repeats those of a run that printed it.
 */
import { modelSeed, modelSequences } from '@merx/testing/model-settings'
import fc from 'fast-check'
import { ARTICLES } from '../../support/after-sales-model.ts'
import type { Terms } from '../../support/after-sales-model.ts'
import { triggers } from '../../support/after-sales-orders.ts'
import { returnTriggers } from '../../support/after-sales-returns.ts'
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { FREQUENCIES } from '../../support/rhythm.ts'
import { jumpingClock } from '../subscriptions/subscription-calls.ts'
import { afterSalesShop } from './after-sales-shop.ts'
import { afterSalesSteps } from './after-sales-steps.ts'
import type { Jump, Step } from './after-sales-steps.ts'

const SEQUENCES = modelSequences(8, 30)
const SEED = modelSeed()
const COMMANDS_MAX = 16
const DAY_MS = 86_400_000

let core: TestCore
const { clock, jumpTo } = jumpingClock()

beforeAll(async () => {
  core = await openCore('after_sales_model', { clock })
})
afterAll(() => core.close())

const steps = afterSalesSteps(() => core, jumpTo)
const { open, beginOrder } = afterSalesShop(() => core, jumpTo)

const at = fc.integer({ min: 0, max: 2 })
const article = fc.constantFrom(...ARTICLES)
const mostlyTrue = fc.constantFrom(true, true, false)

/** What moves money, uses and cards; more of it, so that sequences get there. */
const changes = fc
  .tuple(
    at,
    fc.constantFrom('_place', '_refresh', '_cancel', '_cancel', '_refund', '_start_editing', '_stop_editing'),
  )
  .map((drawn) => steps.trigger(...drawn))

const commands = fc.commands(
  [
    fc.tuple(at, article, fc.constantFrom(-1, 1, 1, 2)).map((drawn) => steps.units(...drawn)),
    fc.tuple(at, fc.constantFrom(...Object.keys(triggers))).map((drawn) => steps.trigger(...drawn)),
    changes,
    changes,
    changes,
    fc.tuple(at, mostlyTrue).map((drawn) => steps.coupon(...drawn)),
    fc.tuple(at, mostlyTrue).map((drawn) => steps.card(...drawn)),
    at.map(steps.sell),
    fc.tuple(at, fc.integer({ min: 1, max: 2 })).map((drawn) => steps.takeBack(...drawn)),
    fc.tuple(at, fc.boolean()).map((drawn) => steps.turnDown(...drawn)),
    at.map(steps.giveBack),
    at.map(steps.openReturn),
    fc.tuple(at, article, fc.integer({ min: 1, max: 2 })).map((drawn) => steps.unitsBack(...drawn)),
    fc
      .tuple(at, fc.constantFrom(...Object.keys(returnTriggers)))
      .map((drawn) => steps.returnTrigger(...drawn)),
    fc.tuple(at, fc.integer({ min: 1, max: 9_000 })).map((drawn) => steps.refundOf(...drawn)),
    fc.constantFrom(-3_000, -1, 1, 777, 3_000).map(steps.changeCardBy),
    fc.constantFrom('active' as const, 'inactive' as const).map(steps.makeCard),
    fc.boolean().map(steps.sale),
    fc.constant(steps.subscribe),
    fc.constantFrom<Jump>(1, 23, 24, 24 * 28, 24 * 31, 24 * 100, 24 * 366).map(steps.jump),
    fc
      .constantFrom<Jump>('next run', 'before next run', 'end of sale', 'end of coupon', 'end of card')
      .map(steps.jump),
  ],
  { maxCommands: COMMANDS_MAX, size: 'max' },
)

/** What an order has gone through when a sequence begins, so that sequences get everywhere. */
const PASTS: Readonly<Record<string, (of: number) => readonly Step[]>> = {
  nothing: () => [],
  placed: (of) => [steps.trigger(of, '_place')],
  'placed with coupon': (of) => [steps.coupon(of, true), steps.trigger(of, '_place')],
  'a cart with both codes': (of) => [steps.card(of, true), steps.coupon(of, true)],
  'approved with both codes': (of) => [
    steps.card(of, true),
    steps.coupon(of, true),
    steps.trigger(of, '_place'),
    steps.trigger(of, '_approve'),
  ],
  'cancelled with both codes': (of) => [
    steps.card(of, true),
    steps.coupon(of, true),
    steps.trigger(of, '_place'),
    steps.trigger(of, '_cancel'),
  ],
  'edited with both codes': (of) => [
    steps.coupon(of, true),
    steps.card(of, true),
    steps.trigger(of, '_place'),
    steps.trigger(of, '_start_editing'),
  ],
  'sold and taken back': (of) => [steps.card(of, true), steps.sell(of), steps.takeBack(of, 1)],
  'returned twice': (of) => [
    steps.coupon(of, true),
    steps.sell(of),
    steps.takeBack(of, 1),
    steps.giveBack(of),
    steps.turnDown(of, true),
    steps.takeBack(of, 1),
  ],
}

const past = fc.constantFrom(...Object.keys(PASTS))

/** An hour that clocks skip and one that they repeat, days of the month that others lack, and a day that most years lack. */
const STARTS = [
  '2027-01-31T10:00:00Z',
  '2027-03-28T01:30:00Z',
  '2027-10-31T00:30:00Z',
  '2027-12-30T23:30:00Z',
  '2028-02-29T12:00:00Z',
].map((text) => Date.parse(text))

const later = (start: number) => fc.constantFrom(20, 60, 900).map((days) => start + days * DAY_MS)

const units = fc.tuple(
  fc.integer({ min: 0, max: 2 }),
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 2 }),
)

const begins = fc.constantFrom(...STARTS).chain((start) =>
  fc.record({
    start: fc.constant(start),
    terms: fc.record<Terms>({
      percentage: fc.constantFrom(7, 15, 33, 100),
      saleLimit: fc.constantFrom(null, null, 2),
      saleEnds: later(start),
      couponCents: fc.constantFrom(1, 1_501, 5_000),
      couponLimit: fc.integer({ min: 1, max: 3 }),
      isOncePerCustomer: fc.boolean(),
      couponEnds: later(start),
      cardCents: fc.constantFrom(2_000, 6_001, 40_000),
      cardEnds: later(start),
      isSpread: fc.boolean(),
      isRechargeable: fc.boolean(),
      isSingleUse: fc.boolean(),
      frequency: fc.constantFrom('monthly', 'monthly', ...FREQUENCIES),
      isCancelledWithSource: fc.boolean(),
    }),
    carts: fc.tuple(units, units, units),
    bought: fc.constantFrom<readonly string[]>(
      [],
      ['_place'],
      ['_place'],
      ['_place', '_approve_and_capture'],
    ),
    pasts: fc.tuple(past, past),
    isSubscribed: fc.boolean(),
    /** That the subscription has made, if there is one. */
    runs: fc.integer({ min: 0, max: 2 }),
  }),
)

test(`of ${SEQUENCES} sequences of requests each is answered as predicted, and the books agree after every step`, async () => {
  await fc.assert(
    fc.asyncProperty(
      begins,
      commands,
      async ({ start, terms, carts, bought, pasts, isSubscribed, runs }, sequence) => {
        const { model, shop } = await open(start, terms)
        for (const cart of carts) await beginOrder(model, shop, cart, steps)
        for (const name of bought) await steps.trigger(0, name).run(model, shop)
        for (const [before, name] of pasts.entries())
          for (const step of PASTS[name]?.(before + 1) ?? []) await step.run(model, shop)
        if (isSubscribed) await steps.subscribe.run(model, shop)
        for (let run = 0; run < runs; run += 1) await steps.jump('next run').run(model, shop)
        await fc.asyncModelRun(() => ({ model, real: shop }), sequence)
      },
    ),
    { numRuns: SEQUENCES, seed: SEED },
  )
  process.stderr.write(`outcomes reached: ${[...steps.reached].toSorted().join(', ')}\n`)
}, 3_600_000)
