/** What a day needs before it begins: stock that lasts, and a receiver of webhooks. */
import { openReceiver } from '../../bench/core/webhook-receiver.ts'
import { openClient } from '../faults/history/clients.ts'
import type { PublicSide } from '../faults/support/lab.ts'
import type { User } from '../faults/support/user.ts'
import type { CollectionDocument, ResourceObject } from '../support/wire.ts'
import type { Day } from './shop-errands.ts'

const SKUS = 20
const PLENTY = 1_000_000

const listOf = async (user: User, path: string): Promise<CollectionDocument> => {
  const reply = await user.core('GET', path)
  if (reply === undefined) throw new Error(`the shop is not there: ${path} was refused`)
  return reply.json<CollectionDocument>()
}

const firstOf = ({ data }: CollectionDocument, what: string): ResourceObject => {
  const [found] = data
  if (found === undefined) throw new Error(`the demo has no ${what}`)
  return found
}

const must = async (user: User, method: string, path: string, data: object): Promise<void> => {
  if ((await user.core(method, path, { data })) === undefined)
    throw new Error(`${method} ${path} was refused`)
}

export interface OpenDay extends Day {
  /** Events that came as webhooks, each counted once. */
  readonly told: () => number
  readonly close: () => Promise<void>
}

/** `market` is an id; the demo's integration opens the shop. */
export const openDay = async (side: PublicSide, market: string): Promise<OpenDay> => {
  const { user } = openClient(side, 'to begin with')
  const guest = openClient(side, 'guest', market).user
  const { data: skus } = await listOf(guest, `skus?page[size]=${SKUS}`)
  const ids = skus.map(({ id }) => id)
  for (const id of ids)
    for (const item of (await listOf(user, `skus/${id}/stock_items`)).data)
      await must(user, 'PATCH', `stock_items/${item.id}`, {
        type: 'stock_items',
        id: item.id,
        attributes: { quantity: PLENTY },
      })
  const transfer = await listOf(
    guest,
    'payment_methods?filter[q][payment_source_type_eq]=wire_transfers&page[size]=1',
  )
  const told = new Set<string>()
  const receiver = await openReceiver((id) => void told.add(id))
  await must(user, 'POST', 'webhooks', {
    type: 'webhooks',
    attributes: { topic: 'orders.place', callback_url: receiver.url },
  })
  return {
    skus: ids,
    paymentMethod: firstOf(transfer, 'bank transfer in the market').id,
    placed: [],
    sent: [],
    done: { placed: 0, imported: 0 },
    told: () => told.size,
    close: () => receiver.close(),
  }
}
