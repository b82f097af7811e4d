/**
 * kill -9 of the process that pays, at any moment between intent, call and result: no money moves twice, none is lost, and
 * every order ends where the book of the bank says. PAYMENT_KILLS says how often; 500 take about half an hour.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { bankCalls, LOCAL } from '../../http/support/bank-calls.ts'
import type { Shop } from '../../http/support/bank-calls.ts'
import { paymentCalls, WHOLE } from '../../http/support/payment-calls.ts'
import { NOW, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

const KILLS = Number(process.env['PAYMENT_KILLS'] ?? 3)
const KILLS_A_ROUND = 3
const ORDERS_AT_ONCE = 4
const KILLED_WITHIN_MS = 250
const SCRIPT = new URL('../../support/change-until-killed.ts', import.meta.url).pathname

let core: TestCore
let shop: Shop

beforeAll(async () => {
  core = await openCore('killed_while_paying', {}, LOCAL)
})
afterAll(async () => {
  await shop.bank.close()
  await core.close()
})

const { freeShipping, statusesOf, movementsOf } = paymentCalls(() => core)
const { openShop, cart, recover } = bankCalls(
  () => core,
  () => shop,
)

/** Runs the process; kills it some milliseconds after it began with something, unless it ended before. */
const pay = async (orders: readonly string[], minutes: number, killAfterMs?: number): Promise<void> => {
  const now = new Date(Date.parse(NOW) + minutes * 60_000).toISOString()
  const numbers = orders.map((order) => `${decodeId('orders', order)}:_place,_approve,_capture`)
  const child = spawn(process.execPath, [SCRIPT, core.databaseUrl, now, ...numbers], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  if (killAfterMs !== undefined) {
    await Promise.race([once(child.stdout, 'data'), ended])
    await Promise.race([pause(killAfterMs), ended])
    child.kill('SIGKILL')
  } else child.stdout.resume()
  await ended
}

it(`pays every order once, whatever is killed (${KILLS} times)`, async () => {
  await freeShipping()
  shop = await openShop()
  await core.pool.query('UPDATE stock_items SET quantity = 1000000')
  const rounds = Math.ceil(KILLS / KILLS_A_ROUND)
  const all: string[] = []
  while (all.length < rounds * ORDERS_AT_ONCE) all.push(await cart())
  let minutes = 0
  for (let round = 0; round < rounds; round += 1) {
    const orders = all.slice(round * ORDERS_AT_ONCE, (round + 1) * ORDERS_AT_ONCE)
    for (let times = 0; times < KILLS_A_ROUND; times += 1)
      await pay(orders, (minutes += 2), Math.random() * KILLED_WITHIN_MS)
    // What is left is paid by a process that lives; what it may not touch yet, by the job and the process after it.
    await pay(orders, (minutes += 2))
    await recover(10)
    await pay(orders, (minutes += 2))
  }
  // The clock went on, and tokens expired with it.
  core = { ...core, tokens: { ...core.tokens, admin: await core.tokens.mint() } }
  for (const order of all) {
    expect((await statusesOf(order)).slice(0, 2)).toEqual(['approved', 'paid'])
    expect(await movementsOf(order)).toEqual([
      ['authorizations', WHOLE],
      ['captures', WHOLE],
    ])
  }
  const { rows } = await core.pool.query<{ token: string }>('SELECT token FROM transactions WHERE succeeded')
  expect(shop.bank.book.map(({ token }) => token).toSorted()).toEqual(
    rows.map(({ token }) => token).toSorted(),
  )
  const open = await core.pool.query('SELECT FROM transactions WHERE attempt IS NOT NULL')
  expect(open.rows).toEqual([])
}, 7_200_000)
