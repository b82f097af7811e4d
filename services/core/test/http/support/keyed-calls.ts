/** Writes with an Idempotency-Key, and what must be the same when they are sent again. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { SKUS } from '../../support/seed-shop.ts'

export type Attributes = Readonly<Record<string, unknown>>
export type Answer = Awaited<ReturnType<TestCore['send']>>

export const SKU_PATH = `/api/skus/${encodeId('skus', SKUS.A)}`

/** Of a new SKU. */
export const skuBody = (code: string, more: Attributes = {}) => ({
  data: {
    type: 'skus',
    attributes: { code, name: 'New', ...more },
    relationships: {
      shipping_category: { data: { type: 'shipping_categories', id: encodeId('shipping_categories', 1) } },
    },
  },
})

/** Of a change of SKU_PATH. */
export const patchBody = (attributes: Attributes) => ({
  data: { type: 'skus', id: encodeId('skus', SKUS.A), attributes },
})

/** What must be the same each time. */
export const told = ({ status, headers, text }: Answer) => [
  status,
  headers['location'],
  headers['content-type'],
  text,
]

export const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true'

export const errorOf = (answer: Answer) => {
  const [error] = errorsOf(answer)
  return [answer.status, error?.code, error?.source?.['header']]
}

interface Caller {
  readonly token?: string | undefined
  readonly at?: Pick<TestCore, 'send'>
}

/** `core` is asked for at each call, because suites open it before their tests. */
export const keyedCalls = (core: () => TestCore) => ({
  keyed: (method: string, path: string, key: string, body: unknown, { token, at }: Caller = {}) =>
    (at ?? core()).send(method, path, token ?? core().tokens.admin, body, { 'Idempotency-Key': key }),
  count: async (sql: string): Promise<number> => {
    const { rows } = await core().pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${sql}`)
    return rows[0]?.count ?? -1
  },
})
