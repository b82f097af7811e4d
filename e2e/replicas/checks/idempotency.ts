/** The same request with the same Idempotency-Key at all replicas at once is done once. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { accessToken, connect } from '../../support/connect.ts'
import { ADDRESS } from '../../support/sell.ts'
import type { Reply } from '../../support/send.ts'
import type { ResourceDocument } from '../../support/wire.ts'
import { tally, unless, type Check } from '../support/check.ts'
import { countInCore } from '../support/system.ts'

const KEYS = 20
const COPIES = 12
const ATTEMPTS = 20
const AGAIN_MS = 200

/** A row that stands alone, and one that is written in a transaction with others (docs/adr/0096-idempotency-keys.md). */
const KINDS = [
  {
    type: 'addresses',
    as: 'integration',
    attributesOf: (mark: string) => ({ ...ADDRESS, line_1: mark }),
    count: 'SELECT count(*)::int AS count FROM addresses WHERE line_1 = $1',
  },
  {
    type: 'orders',
    as: 'sales_channel',
    attributesOf: (mark: string) => ({ reference: mark }),
    count: 'SELECT count(*)::int AS count FROM orders WHERE reference = $1',
  },
] as const

const idOf = (reply: Reply): string => reply.json<ResourceDocument>().data.id

const sendCopies = async ({ type, as, attributesOf, count }: (typeof KINDS)[number]) => {
  const token = await accessToken(as)
  const mark = randomUUID()
  const send = () =>
    connect().core(type, {
      token,
      method: 'POST',
      headers: { 'Idempotency-Key': `"${mark}"` },
      body: { data: { type, attributes: attributesOf(mark) } },
    })
  const first = await Promise.all(Array.from({ length: COPIES }, send))
  let last = await send()
  for (let attempt = 1; last.status === 409 && attempt < ATTEMPTS; attempt += 1) {
    await wait(AGAIN_MS)
    last = await send()
  }
  const replies = [...first, last].filter(({ status }) => status === 201)
  const fresh = replies.filter(({ headers }) => headers['idempotent-replayed'] === undefined)
  const rows = await countInCore(count, [mark])
  const ids = new Set(replies.map(idOf))
  return {
    statuses: first.map(({ status }) => status),
    wrong: [
      ...unless(rows === 1, `${type}: a key made ${rows} rows`),
      ...unless(ids.size === 1, `${type}: a key was answered with ${ids.size} records`),
      ...unless(fresh.length === 1, `${type}: ${fresh.length} answers to a key were not replayed`),
      ...unless(last.status === 201, `${type}: a repeated request is ${last.status}`),
      ...unless(
        first.every(({ status }) => status === 201 || status === 409),
        `${type}: ${tally(first.map(({ status }) => status))}`,
      ),
    ],
  }
}

export const idempotency: Check = {
  name: 'idempotency',
  title: 'a request with an Idempotency-Key is done once, whichever replicas receive it',
  run: async () => {
    const sent: Awaited<ReturnType<typeof sendCopies>>[] = []
    for (let key = 0; key < KEYS; key += 1) for (const kind of KINDS) sent.push(await sendCopies(kind))
    return {
      figures:
        `${sent.length} keys, ${COPIES} copies at once of each: ${sent.length} records; ` +
        `answers ${tally(sent.flatMap(({ statuses }) => statuses))}`,
      wrong: sent.flatMap(({ wrong }) => wrong),
    }
  },
}
