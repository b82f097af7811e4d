/** Who uses the shop of a history: buyers, merchants, and readers, each with a token of its own, until they are to stop. */
import { setTimeout as wait } from 'node:timers/promises'
import { ALL_TIME } from '../../support/every-order.ts'
import { createRandom, type Random } from '../../support/random.ts'
import type { Reply } from '../../support/send.ts'
import type { ResourceDocument, StatsAnswer } from '../../support/wire.ts'
import type { PublicSide } from '../support/lab.ts'
import type { Outcome } from '../support/observations.ts'
import { createRecord, createUser, type LoadRecord, type User } from '../support/user.ts'
import type { Cart, Entry, StepName } from './entry.ts'
import { link, type Shop } from './shop.ts'

/** What a client may meet while things break: no answer, not now, not any more, not in this state. */
const ALLOWED: ReadonlySet<Outcome> = new Set<Outcome>([503, 'none', 401, 409, 422, 423])
const ATTEMPTS = 40
const AGAIN_MS = 250
const PAUSE_MS = 30
const UNITS_MAX = 3

/** What all clients know of. */
export interface Notes {
  readonly entries: Entry[]
  readonly carts: Map<string, Cart>
  /** Orders whose placing was acknowledged. */
  readonly placed: string[]
}

export const openNotes = (): Notes => ({ entries: [], carts: new Map(), placed: [] })

export interface Client {
  readonly name: string
  readonly user: User
  readonly record: LoadRecord
}

/** The merchant's own; with a market it is a shop front. */
export const openClient = (lab: PublicSide, name: string, market?: string): Client => {
  const record = createRecord()
  const as =
    market === undefined
      ? ({ credential: 'integration' } as const)
      : ({ credential: 'sales_channel', scope: `market:id:${market}` } as const)
  return { name, record, user: createUser({ lab, record, organization: 0, allowed: ALLOWED, ...as }) }
}

/** The entry, unless no request was sent because there was no token. */
const note = async (
  { name, record }: Client,
  notes: Notes,
  send: () => Promise<Reply | undefined>,
  whatOf: (reply: Reply | undefined) => Entry['what'] | undefined,
): Promise<Outcome | undefined> => {
  const [from, before] = [performance.now(), record.observations.length]
  const reply = await send()
  const last = record.observations.slice(before).findLast(({ service }) => service !== 'auth')
  const what = whatOf(reply)
  if (last === undefined || what === undefined) return last?.outcome
  notes.entries.push({ client: name, from, to: performance.now(), outcome: last.outcome, what })
  return last.outcome
}

/** Until it is answered, or refused for good. A trigger that is repeated changes nothing. */
export const trigger = async (
  client: Client,
  notes: Notes,
  order: string,
  step: StepName,
): Promise<boolean> => {
  const data = { type: 'orders', id: order, attributes: { [`_${step}`]: true } }
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const outcome = await note(
      client,
      notes,
      () => client.user.core('PATCH', `orders/${order}`, { data }),
      () => ({ kind: 'write', step, order }),
    )
    if (outcome !== undefined && outcome !== 'none' && outcome < 400) return true
    if (outcome === 422) return false
    await wait(AGAIN_MS)
  }
  return false
}

const again = async <T>(act: () => Promise<T | undefined>): Promise<T | undefined> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const result = await act()
    if (result !== undefined) return result
    await wait(AGAIN_MS)
  }
  return undefined
}

const idOf = (reply: Reply | undefined): string | undefined => reply?.json<ResourceDocument>().data.id

/** A cart with one line, ready to be placed; undefined when a request for it was not answered. */
export const fillCart = async (
  { user }: Client,
  shop: Shop,
  random: Random,
  notes: Notes,
): Promise<string | undefined> => {
  const post = async (type: string, attributes: object, relationships: object) =>
    idOf(await user.core('POST', type, { data: { type, attributes, relationships } }))
  const [sku, { code }] = random.pick([...shop.skus])
  const quantity = 1 + random.below(UNITS_MAX)
  const order = await post(
    'orders',
    { customer_email: 'ada@example.com' },
    { market: link('markets', shop.market) },
  )
  if (order === undefined) return undefined
  const ofOrder = { order: link('orders', order) }
  // A line without an answer may be there or not, so nobody knows what is in the cart.
  if ((await post('line_items', { sku_code: code, quantity }, ofOrder)) === undefined) return undefined
  notes.carts.set(order, { sku, quantity })
  const address = await again(() =>
    post(
      'addresses',
      {
        ...{ first_name: 'Ada', last_name: 'Lovelace', line_1: 'Via Roma 1', city: 'Torino' },
        ...{ zip_code: '10121', state_code: 'TO', country_code: 'IT', phone: '+39 011 1234567' },
      },
      {},
    ),
  )
  if (address === undefined) return undefined
  const relationships = {
    billing_address: link('addresses', address),
    payment_method: link('payment_methods', shop.paymentMethod),
  }
  const data = { type: 'orders', id: order, attributes: {}, relationships }
  const addressed = await again(() => user.core('PATCH', `orders/${order}`, { data }))
  if (addressed === undefined) return undefined
  const source = await again(() => post('wire_transfers', {}, ofOrder))
  return source === undefined ? undefined : order
}

const buyer = (client: Client, shop: Shop, random: Random, notes: Notes) => async (): Promise<void> => {
  const order = await fillCart(client, shop, random, notes)
  if (order !== undefined && (await trigger(client, notes, order, 'place'))) notes.placed.push(order)
}

/** Of every fourth order it is one of two merchants, who sells or cancels what was placed. */
const merchant = (
  client: Client,
  random: Random,
  notes: Notes,
  { first, every }: { first: number; every: number },
) => {
  let at = first
  return async (): Promise<void> => {
    const order = notes.placed[at]
    if (order === undefined) return
    at += every
    if (random.chance(0.25)) await trigger(client, notes, order, 'cancel')
    else if (await trigger(client, notes, order, 'approve')) await trigger(client, notes, order, 'capture')
  }
}

const stockReader = (client: Client, shop: Shop, random: Random, notes: Notes) => async (): Promise<void> => {
  const sku = random.pick([...shop.skus.keys()])
  await note(
    client,
    notes,
    () => client.user.core('GET', `skus/${sku}?fields[skus]=inventory`),
    (reply) => {
      const inventory = reply?.json<ResourceDocument>().data.attributes['inventory']
      if (inventory === undefined) return undefined
      return { kind: 'stock', sku, available: (inventory as { readonly quantity: number }).quantity }
    },
  )
}

const SHOWN = 'status,payment_status,total_amount_with_taxes_cents,updated_at'

const orderReader = (client: Client, random: Random, notes: Notes) => async (): Promise<void> => {
  // Mostly the latest ones, to which things happen now.
  const order = notes.placed.at(-1 - random.below(Math.min(notes.placed.length, 10)))
  if (order === undefined) return
  await note(
    client,
    notes,
    () => client.user.core('GET', `orders/${order}?fields[orders]=${SHOWN}`),
    (reply) => {
      if (reply === undefined) return undefined
      const { attributes } = reply.json<ResourceDocument>().data
      return {
        ...{ kind: 'order', order, status: String(attributes['status']) },
        paymentStatus: String(attributes['payment_status']),
        totalCents: Number(attributes['total_amount_with_taxes_cents']),
        updatedAt: String(attributes['updated_at']),
      }
    },
  )
}

const countReader = (client: Client, notes: Notes) => async (): Promise<void> => {
  const question = {
    stats: { field: 'order.id', operator: 'value_count' },
    filter: { order: { ...ALL_TIME, date_field: 'created_at' } },
  }
  await note(
    client,
    notes,
    () => client.user.metrics('orders/stats', question),
    (reply) =>
      reply === undefined
        ? undefined
        : { kind: 'count', count: Number(reply.json<StatsAnswer>().data.value) },
  )
}

export interface Crowd {
  readonly records: readonly LoadRecord[]
  /** Ends the requests under way. */
  stop(): Promise<void>
}

const BUYERS = 4
const MERCHANTS = 2

export const startCrowd = (lab: PublicSide, shop: Shop, notes: Notes, seed: number): Crowd => {
  const clients: Client[] = []
  const client = (name: string, market?: string): Client => {
    const opened = openClient(lab, name, market)
    clients.push(opened)
    return opened
  }
  const random = () => createRandom(seed + clients.length)
  const tasks = [
    ...Array.from({ length: BUYERS }, (_, at) => buyer(client(`buyer ${at}`), shop, random(), notes)),
    ...Array.from({ length: MERCHANTS }, (_, first) =>
      merchant(client(`merchant ${first}`), random(), notes, { first, every: MERCHANTS }),
    ),
    ...['left', 'right'].map((side) =>
      stockReader(client(`stock reader, ${side}`, shop.market), shop, random(), notes),
    ),
    ...['left', 'right'].map((side) => orderReader(client(`order reader, ${side}`), random(), notes)),
    countReader(client('reader of metrics'), notes),
  ]
  let isRunning = true
  const running = tasks.map(async (task) => {
    while (isRunning) {
      await task()
      await wait(PAUSE_MS)
    }
  })
  // What one of them ends with is told by `stop`.
  for (const task of running) task.catch(() => undefined)
  return {
    records: clients.map(({ record }) => record),
    stop: async () => {
      isRunning = false
      await Promise.all(running)
    },
  }
}
