/**
 * kill -9 of core while it asks each kind of service outside, before or after the answer: no order is stuck, no money moves
 * without its row in the ledger, and every order ends as if nothing had died. ASKING_KILLS says how often.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { bankCalls, LOCAL } from '../../http/support/bank-calls.ts'
import type { Shop } from '../../http/support/bank-calls.ts'
import { orderCalls } from '../../http/support/order-calls.ts'
import { paymentCalls } from '../../http/support/payment-calls.ts'
import { openShopService } from '../../http/support/shop-service.ts'
import type { Asked, ShopService } from '../../http/support/shop-service.ts'
import { connectServices } from '../../http/support/shop-services.ts'
import { NOW, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

const KINDS = ['prices', 'shipping', 'taxes', 'validation', 'authorize', 'capture', 'void', 'refund'] as const
type Kind = (typeof KINDS)[number]

const KILLS = Number(process.env['ASKING_KILLS'] ?? KINDS.length)
const KILLED_WITHIN_MS = 100
const SCRIPT = new URL('../../support/change-until-killed.ts', import.meta.url).pathname

const CART = '_refresh_prices,_validate,_place'
const SOLD = `${CART},_approve,_capture,_refund`
const CANCELLED = `${CART},_cancel`

interface Sale {
  readonly kind: Kind
  readonly order: string
}

let core: TestCore
let shop: Shop
let service: ShopService

beforeAll(async () => {
  core = await openCore('killed_while_asking', {}, LOCAL)
  service = await openShopService()
})
afterAll(async () => {
  await shop.bank.close()
  await service.close()
  await core.close()
})

const { freeShipping, statusesOf, movementsOf } = paymentCalls(() => core)
const { orderOf } = orderCalls(() => core)
const { openShop, cart, recover } = bankCalls(
  () => core,
  () => shop,
)

/** Called with each question before it is answered. */
let onAsked: (kind: Kind) => void = () => undefined

const kindOf = ({ document: { data } }: Asked): Kind => {
  if (data.type === 'line_items') return 'prices'
  if (data.type === 'shipments') return 'shipping'
  return data.attributes['_validate'] === true ? 'validation' : 'taxes'
}

/** Two pieces at 12.34, 5 for shipping, and 10 % of both. */
const TOTAL = 3_265
const ANSWERS: Readonly<Record<string, unknown>> = {
  prices: { unit_amount_cents: 1_234 },
  shipping: { price_amount_cents: 500 },
  taxes: { tax_rate: 0.1, freight_taxable: true },
}

const openServices = async (): Promise<void> => {
  shop = await openShop()
  shop.bank.setFault(({ path }) => {
    onAsked(path.slice(1) as Kind)
    return 'none'
  })
  service.answer = (asked) => {
    const kind = kindOf(asked)
    onAsked(kind)
    const error = { code: 'age', message: 'the customer is too young' }
    const body = kind === 'validation' ? { success: false, error } : { success: true, data: ANSWERS[kind] }
    return { body }
  }
}

/** With a line whose price is asked for. */
const askingCart = async (): Promise<string> => {
  const order = await cart()
  const text = `UPDATE line_items SET external_price = true WHERE order_id = $1 AND item_type = 'skus'`
  await core.pool.query(text, [decodeId('orders', order)])
  return order
}

/** Runs the process; kills it at its first question of the kind, some milliseconds later when it is to get the answer. */
const run = async (
  sales: readonly Sale[],
  minutes: number,
  killed?: { readonly kind: Kind; readonly afterMs: number | undefined },
): Promise<string | null> => {
  const now = new Date(Date.parse(NOW) + minutes * 60_000).toISOString()
  const orders = sales.map(
    ({ kind, order }) => `${decodeId('orders', order)}:${kind === 'void' ? CANCELLED : SOLD}`,
  )
  const child = spawn(process.execPath, [SCRIPT, core.databaseUrl, now, ...orders], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  onAsked = (kind) => {
    if (kind !== killed?.kind) return
    if (killed.afterMs === undefined) child.kill('SIGKILL')
    else setTimeout(() => child.kill('SIGKILL'), killed.afterMs)
  }
  const [, signal] = (await ended) as [number | null, string | null]
  onAsked = () => undefined
  return signal
}

it(`sells every order once, whatever is killed (${KILLS} times)`, async () => {
  await freeShipping()
  await openServices()
  await connectServices(core, service.url)
  await core.pool.query('UPDATE stock_items SET quantity = 1000000')
  const killed = new Map<Kind, number>(KINDS.map((kind) => [kind, 0]))
  const sales: Sale[] = []
  let minutes = 0
  while (sales.length < KILLS) {
    const begun: Sale[] = []
    for (const kind of KINDS.slice(0, KILLS - sales.length)) {
      const sale = { kind, order: await askingCart() }
      begun.push(sale)
      const afterMs = Math.random() < 0.5 ? undefined : Math.random() * KILLED_WITHIN_MS
      if ((await run([sale], (minutes += 2), { kind, afterMs })) === 'SIGKILL')
        killed.set(kind, (killed.get(kind) ?? 0) + 1)
    }
    await recover(10)
    // The clock went on, and tokens expire with it.
    core = { ...core, tokens: { ...core.tokens, admin: await core.tokens.mint() } }
    await run(begun, (minutes += 12))
    sales.push(...begun)
  }
  process.stderr.write(`killed while asking: ${JSON.stringify(Object.fromEntries(killed))}\n`)
  expect(killed.get('prices')).toBeGreaterThan(0)
  for (const { kind, order } of sales) {
    const isVoid = kind === 'void'
    expect([kind, await statusesOf(order)]).toEqual([
      kind,
      isVoid ? ['cancelled', 'voided', 'unfulfilled'] : ['cancelled', 'refunded', 'unfulfilled'],
    ])
    const types = isVoid ? ['authorizations', 'voids'] : ['authorizations', 'captures', 'refunds']
    expect([kind, await movementsOf(order)]).toEqual([kind, types.map((type) => [type, TOTAL])])
    expect([kind, await orderOf(order)]).toMatchObject([
      kind,
      { total_amount_with_taxes_cents: TOTAL, shipping_amount_cents: 500, tax_rate: 0.1 },
    ])
  }
  const { rows } = await core.pool.query<{ token: string }>('SELECT token FROM transactions WHERE succeeded')
  expect(shop.bank.book.map(({ token }) => token).toSorted()).toEqual(
    rows.map(({ token }) => token).toSorted(),
  )
  const stuck = `SELECT 1 FROM transactions WHERE attempt IS NOT NULL UNION ALL
    SELECT 1 FROM orders WHERE open_transaction_id IS NOT NULL`
  expect((await core.pool.query(stuck)).rows).toEqual([])
  const found = `SELECT count(*)::int AS count FROM resource_errors GROUP BY resource_id HAVING count(*) > 1`
  expect((await core.pool.query(found)).rows).toEqual([])
}, 7_200_000)
