/** One order's document is damaged on its way from core to metrics: no other order may wait for it. */
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { ALL_TIME } from '../../support/every-order.ts'
import type { CollectionDocument, SearchAnswer } from '../../support/wire.ts'
import type { Lab } from '../support/lab.ts'
import type { Fault } from '../support/run-fault.ts'
import { createRecord, createUser, type User } from '../support/user.ts'

const SEEN_MS_MAX = 15_000

interface FeedPage {
  readonly entries: readonly { readonly kind: string; document?: Record<string, unknown> }[]
}

/** The order that is damaged while it is set. */
interface Poison {
  order: string | undefined
}

const damage = (body: string, { order }: Poison): string => {
  if (order === undefined || !body.includes(order)) return body
  const page = JSON.parse(body) as FeedPage
  for (const { document } of page.entries)
    if (document?.['id'] === order) document['currency_code'] = { not: 'a text' }
  return JSON.stringify(page)
}

/** Passes everything on to core, the feed damaged. */
const openProxy = async (target: string, poison: Poison): Promise<Server> => {
  const server = createServer((incoming, response) => {
    const { host: _host, ...headers } = incoming.headers
    const outgoing = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers },
      (answer) => {
        void text(answer).then((body) => {
          const { 'content-length': _length, 'transfer-encoding': _encoding, ...kept } = answer.headers
          response.writeHead(answer.statusCode ?? 502, kept)
          response.end(
            incoming.url?.startsWith('/internal/order-feed') === true ? damage(body, poison) : body,
          )
        })
      },
    )
    outgoing.on('error', () => response.destroy())
    response.once('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const someUser = (lab: Lab): User =>
  createUser({ lab, record: createRecord(), organization: 0, credential: 'integration', allowed: new Set() })

/** Two approved orders that the load does not touch. */
const findOrders = async (user: User): Promise<readonly [string, string]> => {
  const query = 'page%5Bsize%5D=2&filter%5Bq%5D%5Bstatus_eq%5D=approved&sort=-id'
  const reply = await user.core('GET', `orders?${query}`)
  const [first, second] = reply?.json<CollectionDocument>().data ?? []
  if (first === undefined || second === undefined) throw new Error('the demo has no two approved orders')
  return [first.id, second.id]
}

const setReference = async (user: User, id: string, reference: string): Promise<void> => {
  const reply = await user.core('PATCH', `orders/${id}`, {
    data: { type: 'orders', id, attributes: { reference } },
  })
  if (reply === undefined) throw new Error(`the order ${id} could not be changed`)
}

const isSeen = async (user: User, reference: string): Promise<boolean> => {
  const deadline = performance.now() + SEEN_MS_MAX
  while (performance.now() < deadline) {
    const reply = await user.metrics('orders/search', {
      search: { fields: ['order.id'], limit: 1 },
      filter: { order: { ...ALL_TIME, date_field: 'created_at', references: { in: [reference] } } },
    })
    if (reply !== undefined && reply.json<SearchAnswer>().data.length > 0) return true
    await wait(50)
  }
  return false
}

const createPoisonedFeed = (): Fault => {
  const poison: Poison = { order: undefined }
  const faults: string[] = []
  return {
    name: 'poisoned-document',
    title: 'a damaged order document in the feed of metrics',
    prepare: async (lab) => {
      const proxy = await openProxy(lab.internalUrls.core, poison)
      const { port } = proxy.address() as AddressInfo
      const restart = async (env: Record<string, string>): Promise<void> => {
        lab.services.metrics.setEnvironment(env)
        await lab.services.metrics.stop()
        await lab.services.metrics.start()
        await lab.ready()
      }
      await restart({ CORE_INTERNAL_URL: `http://127.0.0.1:${port}` })
      return async () => {
        await restart({})
        proxy.closeAllConnections()
        proxy.close()
      }
    },
    inject: async (lab) => {
      const user = someUser(lab)
      const [damaged, other] = await findOrders(user)
      poison.order = damaged
      await setReference(user, damaged, 'damaged')
      await setReference(user, other, 'behind-the-damaged')
      if (!(await isSeen(user, 'behind-the-damaged')))
        faults.push('a change behind the damaged document did not reach metrics while it was damaged')
    },
    repair: async (lab) => {
      const { order = '' } = poison
      poison.order = undefined
      const user = someUser(lab)
      await setReference(user, order, 'sound-again')
      if (!(await isSeen(user, 'sound-again')))
        faults.push('the order was not right again after its next change')
    },
    check: () => Promise.resolve(faults),
  }
}

export const poisonedFeed: Fault = createPoisonedFeed()
