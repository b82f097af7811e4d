/** Every script of examples/ as a reader runs it: exit code 0, and an answer that tells its story. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { dataDir } from './support/demo.ts'

const FOLDER = resolve(import.meta.dirname, '../examples')

const run = async (name: string): Promise<unknown> => {
  const program = name.endsWith('.sh') ? 'sh' : process.execPath
  const env = { PATH: process.env['PATH'], MERX_DATA_DIR: dataDir() }
  const { stdout, stderr } = await promisify(execFile)(program, [join(FOLDER, name)], {
    env,
    timeout: 90_000,
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

const positive = { asymmetricMatch: (value: unknown) => typeof value === 'number' && value > 0 }
const some = (item: unknown): unknown => expect.arrayContaining([item])

/** An order that was placed, in euros. */
const bought = {
  status: 'placed',
  payment_status: 'authorized',
  total: expect.stringMatching(/^€\d+,\d\d$/) as unknown,
  paid_with: 'wire_transfers',
}

/** What an answer must say; `holds` for what a pattern cannot. */
const STORIES: Readonly<
  Record<string, { readonly says: object; readonly holds?: (answer: Answer) => boolean }>
> = {
  'get-a-token.mjs': {
    says: { status: 200, token_type: 'bearer', application: 'sales_channel', expires_in: positive },
  },
  'get-a-token.sh': {
    says: { data: some(expect.objectContaining({ type: 'skus' })), meta: { record_count: positive } },
  },
  'integration-with-a-role.mjs': {
    says: { skus_with_a_custom_role: positive, skus_with_the_admin_role: positive },
    holds: (answer) => Number(answer['skus_with_a_custom_role']) < Number(answer['skus_with_the_admin_role']),
  },
  'provision-an-integration.mjs': {
    says: {
      ...{ role: 'Warehouse', has_secret: true, skus: positive, left: 0 },
      orders: { status: 401, error: 'UNAUTHORIZED' },
    },
  },
  'customer-token.mjs': { says: { owner_type: 'customer', has_refresh_token: true, orders: positive } },
  'list-skus.mjs': {
    says: { record_count: positive, page_count: positive },
    holds: (answer) =>
      answer['received'] === answer['record_count'] && answer['pages'] === answer['page_count'],
  },
  'filter-sort-include.mjs': {
    says: { matching: positive, skus: some(expect.objectContaining({ prices: some(expect.any(Object)) })) },
  },
  'fill-a-cart.mjs': {
    says: {
      line: { quantity: 2 },
      too_many: some({ detail: 'quantity - is out of stock', available: positive }),
      order: { status: 'pending', is_twice_the_price: true },
    },
  },
  'buy-something.mjs': {
    says: {
      guest: bought,
      customer_the_first_time: bought,
      customer_again: bought,
      address_book: some(expect.stringMatching(/^Ada Lovelace, Via Roma 1/)),
      wallet: some('Wire Transfers'),
    },
  },
  'pay-with-a-bank.mjs': {
    says: {
      answer_lost: 'pending, unpaid',
      asked_again: 'placed, authorized',
      captured: 'approved, paid',
      questions: 3,
      book: [expect.stringMatching(/^authorize /), expect.stringMatching(/^capture /)],
      is_signed: true,
    },
  },
  'fulfil-and-refund.mjs': {
    says: {
      placed: 'placed, authorized, unfulfilled',
      captured: 'approved, paid, in_progress',
      shipped: 'approved, paid, fulfilled',
      refunded: 'cancelled, refunded, fulfilled',
    },
    holds: (answer) =>
      /^approved, partially_paid, unfulfilled; \d+ left/.test(String(answer['captured_in_part'])) &&
      /^approved, partially_refunded, fulfilled; \d+ left/.test(String(answer['refunded_in_part'])),
  },
  'sell-subscriptions.mjs': {
    says: { status: 'active', copy: 'completed', errors: {}, order_made: 'placed', ended: 'cancelled' },
    holds: (answer) => Number(answer['next_run_in_days']) >= 28 && Number(answer['next_run_in_days']) <= 31,
  },
  'sell-gift-cards.mjs': {
    says: {
      ...{ bought: 'placed', card: 'active', paid_by_card: -1000, left_on_card: 0, given_back: 1000 },
      log: ['use -1000', 'refund 1000'],
    },
  },
  'sell-bundles.mjs': {
    says: { order: 'placed', costs_less_than_its_skus: true, is_paid_twice: true, units: [4, 2] },
  },
  'take-back-returns.mjs': {
    says: {
      ...{ requested: 'requested', return: 'refunded', is_refund_what_was_paid: true, metrics: 'refunded' },
      order: 'approved, partially_refunded, fulfilled',
    },
  },
  'receive-webhooks.mjs': {
    says: { topic: 'customers.create', taken: positive, repeated: positive, refused: 1 },
  },
  'follow-events.mjs': {
    says: { while_listening: true, while_away: true, when_back: true, twice: 0 },
  },
  'retry-safely.mjs': {
    says: { status: 201, sent_once_more: '201, replayed: true', is_the_same: true, customers: 1 },
  },
  'store-scope.mjs': {
    says: { skus_with_its_market_in_scope: positive },
    holds: (answer) =>
      Number(answer['skus_with_the_store_in_scope']) >= Number(answer['skus_with_its_market_in_scope']),
  },
  'stock-location-scope.mjs': {
    says: { skus: positive, skus_there: positive, without_a_market: { status: 400 } },
    holds: (answer) => Number(answer['skus_there']) <= Number(answer['skus']),
  },
  'private-market.mjs': {
    says: { guest: { status: 400, error: 'invalid_scope' }, member: { skus: positive } },
  },
  'sales-by-country.mjs': {
    says: { top_countries: some({ label: expect.any(String) as unknown, value: positive }) },
  },
  'sales-by-month.mjs': {
    says: { months: some(expect.objectContaining({ count: positive, avg: positive })) },
  },
  'average-order.mjs': {
    says: { orders: positive, orders_with_a_discount: positive, average_order: positive },
  },
  'search-orders.mjs': {
    says: {
      matching: positive,
      orders: some(expect.objectContaining({ id: expect.any(String) as unknown })),
    },
  },
  'refresh-a-token.mjs': {
    says: {
      is_new_access_token: true,
      is_new_refresh_token: true,
      is_same_customer: true,
      first_refresh_token_again: { status: 400, error: 'invalid_grant' },
    },
  },
  'what-errors-look-like.mjs': {
    says: { auth: { status: 401 }, core: { status: 400 }, metrics: { status: 422 } },
  },
}

type Answer = Readonly<Record<string, unknown>>

const scripts = readdirSync(FOLDER).filter((name) => /\.(mjs|sh)$/.test(name))

describe('examples', () => {
  test('every script has a story here', () => {
    expect(Object.keys(STORIES).toSorted()).toEqual(scripts.toSorted())
  })

  test.each(scripts)(
    '%s',
    async (name) => {
      const story = STORIES[name]
      const answer = (await run(name)) as Answer
      expect(answer).toMatchObject(story?.says ?? {})
      expect(story?.holds?.(answer) ?? true).toBe(true)
    },
    100_000,
  )
})
