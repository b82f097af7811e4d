/** Receivers of webhooks on real sockets, and a core that may call them. */
import { eventually } from '@merx/testing/eventually'
import type { CoreOverrides } from '../../../src/compose.ts'
import { DECIDED } from '../../../src/events/follow-events.ts'
import { openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { openHttpReceiver } from '../outside/support.ts'

export interface Received {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly at: number
}

export interface WebhookReceiver {
  readonly url: string
  readonly received: Received[]
  /** Status of each call from now on; a promise delays it, `hang` never answers. */
  answer: (call: Received) => number | 'hang' | Promise<number>
  close(): Promise<void>
}

export const openWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const received: Received[] = []
  const server = await openHttpReceiver((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = request.headers as Readonly<Record<string, string>>
      const call = { headers, body: Buffer.concat(chunks).toString(), at: performance.now() }
      received.push(call)
      void Promise.resolve(receiver.answer(call)).then((status) => {
        if (status !== 'hang') response.writeHead(status).end()
      })
    })
  })
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${server.port}/hook`,
    received,
    answer: () => 200,
    close: () => server.close(),
  }
  return receiver
}

/** Its clock is that of the machine, as the times of deliveries are PostgreSQL's. */
export const openCalling = (name: string, overrides: CoreOverrides = {}): Promise<TestCore> =>
  openCore(
    name,
    { clock: { now: () => new Date() }, ...overrides },
    { OUTSIDE_ALLOWED_NETWORKS: '127.0.0.0/8' },
  )

/**
 * Delivers everything that is committed. An event is read once every older transaction of the PostgreSQL server has ended, and
 * suites that run at the same time share the server: their transactions are waited for.
 */
export const deliverAll = async ({ pool, webhooks }: TestCore): Promise<void> => {
  await eventually(async () => {
    const undecided = await pool.query(`SELECT FROM events WHERE transaction_id >= ${DECIDED} LIMIT 1`)
    return undecided.rowCount === 0
  })
  await webhooks.runUntilIdle()
}

export interface MadeWebhook {
  readonly id: string
  readonly secret: string
}

export const makeWebhook = async (
  core: TestCore,
  attributes: Readonly<Record<string, unknown>>,
): Promise<MadeWebhook> => {
  const { data } = singleOf(
    await core.send('POST', '/api/webhooks', core.tokens.admin, { data: { type: 'webhooks', attributes } }),
  )
  return { id: data.id, secret: String(data.attributes['shared_secret']) }
}

let made = 0

/** @returns the id of the new customer */
export const makeCustomer = async (core: TestCore, attributes: object = {}): Promise<string> => {
  made += 1
  const document = { data: { type: 'customers', attributes: { email: `c${made}@shop.test`, ...attributes } } }
  return singleOf(await core.send('POST', '/api/customers', core.tokens.admin, document)).data.id
}
