/** The request bodies that clients of the interface are known to send, as data, over HTTP against the real engine. */
import { readFileSync } from 'node:fs'
import { toRowOrder } from '../../src/ingest/order-row.ts'
import { makeDocuments } from '../support/documents.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

interface UseCase {
  readonly name: string
  readonly path: string
  readonly body: unknown
  readonly status: number
  readonly response_shape?: { readonly data: unknown }
  readonly error_body?: {
    readonly error: { readonly code: string; readonly meta?: { readonly errors?: readonly object[] } }
  }
  readonly vendor_dialect_only?: boolean
  readonly request_overrides?: {
    readonly headers?: Readonly<Record<string, string | null>>
    readonly method?: string
    readonly token?: 'expired'
    readonly repeat?: number
  }
}

const cases = JSON.parse(
  readFileSync(new URL('../data/use-cases.json', import.meta.url), 'utf8'),
) as readonly UseCase[]

let store: TestStore
let strict: TestApp
let vendor: TestApp

beforeAll(async () => {
  store = await openStore()
  await store.engine.insert('orders', makeDocuments(3, 400).map(toRowOrder))
  const engine = { ...store.engine, close: async () => undefined }
  strict = await openTestApp({ engine })
  vendor = await openTestApp({ engine, env: { METRICS_DIALECT: 'vendor' } })
})

afterAll(async () => {
  await strict.close()
  await vendor.close()
  await store.close()
})

beforeEach(() => {
  for (const app of [strict, vendor]) app.clock.advance(61) // a rate window of its own for each case
})

/** Key names and kinds of values, lists by their first item; what a shape leaves open is not compared. */
const expectShape = (given: unknown, shape: unknown): void => {
  if (Array.isArray(shape)) {
    expect(Array.isArray(given)).toBe(true)
    const [first] = given as readonly unknown[]
    if (first !== undefined && shape.length > 0) expectShape(first, shape[0])
  } else if (typeof shape === 'object' && shape !== null) {
    expect(Object.keys(given as object)).toEqual(expect.arrayContaining(requiredKeys(shape)))
    for (const [key, inner] of Object.entries(shape)) {
      const value = (given as Record<string, unknown>)[key]
      if (value !== undefined && value !== null) expectShape(value, inner)
    }
  } else {
    expect(typeof given).toBe(typeof shape)
  }
}

/** A record of a search leaves out what has no value; buckets never do. */
const requiredKeys = (shape: object): readonly string[] => {
  const keys = Object.keys(shape)
  return keys.includes('id')
    ? ['id']
    : keys.filter((key) => !['customer', 'shipping_address', 'email'].includes(key) && !key.includes('_code'))
}

const cursorFor = async (app: TestApp, { path, body }: UseCase): Promise<unknown> => {
  const { search, filter } = body as { search: { cursor?: unknown }; filter: unknown }
  if (search.cursor !== '<cursor from previous response>') return body
  const { cursor: _cursor, ...first } = search
  const page = await app.ask(path, { search: first, filter })
  const { cursor } = (page.body as { meta: { pagination: { cursor: string } } }).meta.pagination
  expect(typeof cursor).toBe('string')
  return { search: { ...first, cursor }, filter }
}

const ask = async (app: TestApp, one: UseCase) => {
  const overrides = one.request_overrides ?? {}
  const token =
    overrides.token === 'expired'
      ? await app.mint({ exp: Math.floor(app.clock.now().getTime() / 1000) - 1 })
      : undefined
  const isAnonymous = overrides.headers?.Authorization === null
  const { Authorization: _authorization, ...headers } = overrides.headers ?? {}
  const options = {
    ...(overrides.method === undefined ? {} : { method: overrides.method }),
    ...(isAnonymous ? { token: null } : token === undefined ? {} : { token }),
    headers,
  }
  const body =
    typeof one.body === 'object' && one.body !== null && 'search' in one.body
      ? await cursorFor(app, one)
      : one.body
  let answer = await app.ask(one.path, body, options)
  for (let index = 1; index < (overrides.repeat ?? 1); index += 1)
    answer = await app.ask(one.path, body, options)
  return answer
}

/** The nested key names of `meta.errors`; messages are compared in errors.test.ts. */
const keysOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'object').map(keysOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, keysOf(inner)]))
}

const expectError = (given: unknown, { error_body: expected, status }: UseCase): void => {
  const { error } = given as {
    error: { code: string; status: number; meta?: { errors?: unknown; trace_id?: unknown } }
  }
  expect(error.code).toBe(expected?.error.code)
  expect(error.status).toBe(status)
  expect(error.meta === undefined).toBe(status === 401)
  if (expected?.error.meta?.errors !== undefined) {
    expect(keysOf(error.meta?.errors)).toEqual(keysOf(expected.error.meta.errors))
  }
}

describe('requests of known clients', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const app = one.vendor_dialect_only === true ? vendor : strict
    const { status, body } = await ask(app, one)
    expect({ status, errors: status === one.status ? undefined : body }).toEqual({
      status: one.status,
      errors: undefined,
    })
    if (one.status !== 200) expectError(body, one)
    else if (one.response_shape !== undefined)
      expectShape((body as { data: unknown }).data, one.response_shape.data)
  })

  it.each(cases.filter((one) => one.vendor_dialect_only === true).map((one) => [one.name, one] as const))(
    'the strict dialect refuses %s',
    async (_name, one) => {
      const { status } = await ask(strict, one)
      expect([400, 422]).toContain(status)
    },
  )
})
