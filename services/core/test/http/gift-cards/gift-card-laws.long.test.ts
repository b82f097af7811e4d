/**
 * Laws of gift cards, after any sequence of requests about one card and two orders: no money is made or lost, an order has taken what
 * it says, and nobody gets a 5xx. MERX_MODEL_SEQUENCES says how many, MERX_MODEL_SEED repeats those of a run that printed it.
 */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { modelSeed, modelSequences } from '@merx/testing/model-settings'
import fc from 'fast-check'
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { giftCardCalls } from '../support/gift-card-calls.ts'
import { checkoutCalls, orderCalls } from '../support/order-calls.ts'
import type { Response } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'

const SEQUENCES = modelSequences(30, 120)
const SEED = modelSeed()

let core: TestCore

beforeAll(async () => {
  core = await openCore('gift_card_laws')
})
afterAll(() => core.close())

const { changeOrder, change } = orderCalls(() => core)
const { send, payable } = checkoutCalls(() => core)
const { activeCard, changeCard, cardOf } = giftCardCalls(() => core)
const { freeShipping } = paymentCalls(() => core)

interface Books {
  readonly status: string
  readonly order_status: string
  readonly code: string | null
  /** What the order shows, zero or more. */
  readonly shown: number
  readonly taken: number
  readonly line: number
  readonly subtotal: number
  readonly total: number
  readonly payment: string
}

const BOOKS = `SELECT cards.status, orders.status AS order_status, orders.gift_card_code AS code,
    -orders.gift_card_amount_cents::int AS shown, orders.subtotal_amount_cents::int AS subtotal,
    orders.total_amount_with_taxes_cents::int AS total, orders.payment_status AS payment,
    coalesce(uses.amount_cents, 0)::int AS taken,
    coalesce((SELECT -sum(unit_amount_cents) FROM line_items
      WHERE order_id = orders.id AND gift_card_id = cards.id), 0)::int AS line
  FROM orders CROSS JOIN gift_cards AS cards
  LEFT JOIN gift_card_uses AS uses ON uses.order_id = orders.id AND uses.gift_card_id = cards.id
  WHERE orders.id = ANY($1::bigint[]) ORDER BY orders.id`

interface Shop {
  readonly card: string
  readonly isSingleUse: boolean
  readonly isRechargeable: boolean
  readonly orders: readonly string[]
}

interface Log {
  readonly balance_change_cents?: number
  readonly amount_cents?: number
}

const expectLaws = async ({ card, isSingleUse, isRechargeable, orders }: Shop): Promise<void> => {
  const { rows } = await core.pool.query<Books>(BOOKS, [orders.map((id) => decodeId('orders', id))])
  const shown = await cardOf(card)
  const balance = Number(shown['balance_cents'])
  const taken = rows.reduce((sum, row) => sum + row.taken, 0)
  const byHand = (shown['balance_log'] as readonly Log[]).reduce(
    (sum, entry) => sum + (entry.balance_change_cents ?? 0),
    0,
  )
  const byOrders = Object.values(shown['usage_log'] as Record<string, readonly Log[]>)
    .flat()
    .reduce((sum, entry) => sum + (entry.amount_cents ?? 0), 0)
  const initial = Number(shown['initial_balance_cents'])
  expect([balance >= 0, balance + taken, 0 - byOrders]).toEqual([true, initial + byHand, taken])
  const isUsed = taken > 0
  if (isSingleUse && isUsed) expect(shown['status']).toBe('redeemed')
  if (shown['status'] === 'redeemed')
    expect(isUsed && (isSingleUse || (balance === 0 && !isRechargeable))).toBe(true)
  for (const row of rows) {
    expect([row.line, row.total]).toEqual([row.shown, row.subtotal - row.shown])
    const isHeld = ['placed', 'approved'].includes(row.order_status)
    if (isHeld) expect(row.taken).toBe(row.shown)
    else if (row.order_status !== 'editing') expect(row.taken).toBe(0)
    if (row.code === null && row.order_status !== 'cancelled') expect(row.shown).toBe(0)
    if (isHeld && row.total === 0) expect(row.payment).toBe('free')
  }
}

type Act = (shop: Shop, at: number) => Promise<Response>

const orderOf = ({ orders }: Shop, at: number): string => orders[at] ?? ''

const TRIGGERS = [
  '_place',
  '_place',
  '_cancel',
  '_start_editing',
  '_stop_editing',
  '_refresh',
  '_approve',
] as const

const quantityTo =
  (quantity: number): Act =>
  async (shop, at) => {
    const path = `/api/orders/${orderOf(shop, at)}/line_items?filter[q][item_type_eq]=skus`
    const { data } = (await core.get(path, core.tokens.admin)).body as {
      readonly data: readonly { id: string }[]
    }
    return change(core.tokens.admin, data[0]?.id ?? '', { quantity })
  }

type Step = readonly [name: string, act: Act]

const step = (name: string, act: Act): Step => [name, act]

const acts: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .constantFrom(...TRIGGERS)
      .map((name) => step(name, (shop, at) => send(orderOf(shop, at), name))),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('GIFT2026', 'GIFT2026', null)
      .map((code) =>
        step(`code ${String(code)}`, (shop, at) => changeOrder(orderOf(shop, at), { gift_card_code: code })),
      ),
  },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 2 }).map((units) => step(`quantity ${units}`, quantityTo(units))),
  },
  {
    weight: 2,
    arbitrary: fc
      .integer({ min: -3000, max: 3000 })
      .map((cents) =>
        step(`change by ${cents}`, ({ card }) => changeCard(card, { _balance_change_cents: cents })),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('_deactivate', '_activate')
      .map((name) => step(name, ({ card }) => changeCard(card, { [name]: true }))),
  },
)

test(`of ${SEQUENCES} sequences of requests none makes money or loses it`, async () => {
  const begins = fc.record({
    balance_cents: fc.constantFrom(2000, 6000, 20_000),
    single_use: fc.boolean(),
    rechargeable: fc.boolean(),
  })
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), acts), { minLength: 4, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(begins, steps, async (attributes, sequence) => {
      await reseedShop(core.pool)
      await freeShipping()
      const card = await activeCard(attributes)
      const orders = [await payable('SKU-A', 1), await payable('SKU-A', 1)]
      const shop = {
        card,
        isSingleUse: attributes.single_use,
        isRechargeable: attributes.rechargeable,
        orders,
      }
      for (const [at, [name, act]] of sequence) {
        const { status, text } = await act(shop, at)
        if (status >= 500) throw new Error(`${name}: ${status} ${text}`)
        await expectLaws(shop)
      }
    }),
    { numRuns: SEQUENCES, seed: SEED },
  )
}, 1_800_000)
