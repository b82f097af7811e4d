/** Published example requests as data: statuses, shapes and errors, and numbers against the core interface's own orders. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { accessToken, connect, everyRecord } from './support/connect.ts'
import { environment, organization } from './support/demo.ts'
import { ALL_TIME } from './support/every-order.ts'
import { expectDecent, expectMetricsError } from './support/expect-errors.ts'
import type { Reply } from './support/send.ts'
import type {
  BreakdownAnswer,
  DateBreakdownAnswer,
  FbtAnswer,
  MetricsMeta,
  SearchAnswer,
  StatsAnswer,
} from './support/wire.ts'

type Query = Readonly<Record<string, unknown>>

interface UseCase {
  readonly name: string
  readonly path: string
  readonly query: string
  readonly body?: string | Readonly<Record<string, Query>> | null
  readonly overrides?: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string | null>>
    readonly repeat?: number
  }
  readonly expect: {
    readonly status: number
    readonly exact?: boolean
    readonly error?: { readonly title: string; readonly code: string; readonly errors?: readonly unknown[] }
  }
}

const FILE = join(import.meta.dirname, 'data/metrics-use-cases.json')
const CASES = (JSON.parse(readFileSync(FILE, 'utf8')) as { readonly cases: readonly UseCase[] }).cases

const named = (status: (code: number) => boolean) =>
  CASES.filter((useCase) => status(useCase.expect.status)).map((useCase) => [useCase.name, useCase] as const)

const bodyOf = (useCase: UseCase, cursor?: string | null): UseCase['body'] => {
  const { body } = useCase
  if (cursor === undefined || body === null || body === undefined || typeof body === 'string') return body
  return { ...body, search: { ...body['search'], cursor } }
}

const ask = async (useCase: UseCase, body = bodyOf(useCase)): Promise<Reply> => {
  const { method = 'POST', headers = {}, repeat = 1 } = useCase.overrides ?? {}
  const withoutToken = headers['Authorization'] === null
  const token = withoutToken ? undefined : await accessToken('integration')
  const api = connect()
  const send = () =>
    api.metrics(useCase.path.replace(/^\/metrics\//, ''), body ?? undefined, {
      method,
      ...(token === undefined ? {} : { token }),
      headers: Object.fromEntries(
        Object.entries(headers)
          .filter(([name]) => name !== 'Authorization')
          .map(([name, value]) => [name, value ?? undefined]),
      ),
    })
  for (let sent = 1; sent < repeat; sent += 1) await send()
  return send()
}

/** The same request over all of the demo data, so that shapes are seen with records in them. */
const widened = (body: UseCase['body'], path: string): UseCase['body'] => {
  if (body === null || body === undefined || typeof body === 'string') return body
  if (path.startsWith('/metrics/analysis/')) return body
  const record = path.startsWith('/metrics/returns/') ? 'return' : 'order'
  const filter = (body['filter'] ?? {}) as Readonly<Record<string, Query>>
  return { ...body, filter: { ...filter, [record]: { ...filter[record], ...ALL_TIME } } }
}

const expectValue = (value: unknown, query: Query): void => {
  if (query['operator'] === 'stats') {
    expect(Object.keys(value as object)).toEqual(['count', 'min', 'max', 'avg', 'sum'])
  } else expect(value === null || typeof value === 'number').toBe(true)
}

const numberOf = (value: unknown): number =>
  typeof value === 'number' ? value : (value as { avg: number }).avg

const expectBuckets = (buckets: readonly unknown[] | undefined, query: Query): void => {
  if (buckets === undefined) throw new Error(`no buckets under ${String(query['by'])}`)
  expect(buckets.length).toBeLessThanOrEqual(Number(query['limit'] ?? 10))
  const values = buckets.map((bucket) => numberOf((bucket as { value: unknown }).value))
  expect(values).toEqual(values.toSorted((a, b) => (query['sort'] === 'asc' ? a - b : b - a)))
  const nested = query['breakdown'] as Query | undefined
  for (const bucket of buckets as readonly Readonly<Record<string, unknown>>[]) {
    const inner = nested === undefined ? [] : [String(nested['by'])]
    expect(Object.keys(bucket)).toEqual(['label', 'value', ...inner])
    expect(typeof bucket['label']).toBe('string')
    expectValue(bucket['value'], query)
    if (nested !== undefined) expectBuckets(bucket[String(nested['by'])] as readonly unknown[], nested)
  }
}

const expectMeta = (meta: MetricsMeta, type: string, reply: Reply): void => {
  const paged = type === 'search' ? ['pagination'] : []
  expect(Object.keys(meta)).toEqual([...paged, 'type', 'trace_id', 'mode', 'organization_id', 'market_ids'])
  expect(meta).toMatchObject({ type, mode: 'test', organization_id: organization().id })
  expect(meta.trace_id).toBe(reply.headers['x-request-id'])
  expect([...meta.market_ids].toSorted()).toEqual(
    environment()
      .markets.map(({ id }) => id)
      .toSorted(),
  )
}

const SHAPES: Readonly<Record<string, (reply: Reply, query: Query) => void>> = {
  breakdown: (reply, query) => {
    const { data, meta } = reply.json<BreakdownAnswer>()
    expect(Object.keys(data)).toEqual([query['by']])
    expectBuckets(data[String(query['by'])], query)
    expectMeta(meta, 'breakdown', reply)
  },
  date_breakdown: (reply, query) => {
    const { data, meta } = reply.json<DateBreakdownAnswer>()
    const dates = data.map(({ date }) => date)
    expect(dates).toEqual([...new Set(dates)].toSorted())
    const nested = query['breakdown'] as Query | undefined
    for (const bucket of data as readonly Readonly<Record<string, unknown>>[]) {
      expect(bucket['date']).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:00:00\.000Z$/)
      expectValue(bucket['value'], query)
      if (nested !== undefined) expectBuckets(bucket[String(nested['by'])] as readonly unknown[], nested)
    }
    expectMeta(meta, 'date_breakdown', reply)
  },
  stats: (reply, query) => {
    const { data, meta } = reply.json<StatsAnswer>()
    expect(Object.keys(data)).toEqual(['value'])
    expectValue(data.value, query)
    expectMeta(meta, 'stats', reply)
  },
  search: (reply, query) => {
    const { data, meta } = reply.json<SearchAnswer>()
    expect(data.length).toBeLessThanOrEqual(Number(query['limit'] ?? 50))
    expect(data.length).toBeLessThanOrEqual(meta.pagination.record_count)
    for (const record of data) expect(record['id']).toEqual(expect.stringMatching(/^[A-Za-z]{10,}$/))
    expectMeta(meta, 'search', reply)
  },
  export: (reply, query) => {
    const [header, ...lines] = linesOf(reply)
    expect(header).toBe((query['fields'] as readonly string[]).join(','))
    for (const line of lines) expect(line).toMatch(/^[A-Za-z]{10,},\d+,/)
  },
  fbt: (reply) => {
    const { data, meta } = reply.json<FbtAnswer>()
    expect(data).toEqual([]) // the published ids are nobody's here
    expectMeta(meta, 'fbt', reply)
  },
}

/** The records of an export: each line's cells; the demo has no cell that needs quotes but the one of the tags. */
const linesOf = (reply: Reply): readonly string[] => {
  expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(reply.text.endsWith('\r\n')).toBe(true)
  return reply.text.split('\r\n').slice(0, -1)
}

/** Keys of an error structure with the messages left out, for cases whose wording the facts leave open. */
const keysOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(keysOf)
  if (typeof value !== 'object' || value === null) return 'message'
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, keysOf(inner)]))
}

describe('published requests', () => {
  test.each(named((status) => status === 200))('%s', async (_name, useCase) => {
    const first = useCase.name === 'search_next_page' ? bodyOf(useCase, null) : bodyOf(useCase)
    for (const body of [first, widened(first, useCase.path)]) {
      const reply = await ask(useCase, body)
      expect({ status: reply.status, text: reply.text.slice(0, 2_000) }).toMatchObject({ status: 200 })
      expectDecent(reply)
      const key = useCase.query === 'export' ? 'search' : useCase.query
      const query = (body as Readonly<Record<string, Query>>)[key]
      SHAPES[useCase.query]?.(reply, query ?? {})
    }
  })

  test('search_next_page: the second page begins where the first ended', async () => {
    const useCase = CASES.find(({ name }) => name === 'search_next_page')
    if (useCase === undefined) throw new Error('no such case')
    const first = (await ask(useCase, widened(bodyOf(useCase, null), useCase.path))).json<SearchAnswer>()
    const second = (
      await ask(useCase, widened(bodyOf(useCase, first.meta.pagination.cursor), useCase.path))
    ).json<SearchAnswer>()
    const both = [...first.data, ...second.data]
    expect(new Set(both.map((record) => record['id'])).size).toBe(10)
    const dates = both.map((record) => record['fulfillment_updated_at'] ?? '')
    expect(dates).toEqual(dates.toSorted().reverse())
  })
})

describe('requests that are refused', () => {
  test.each(named((status) => status !== 200))('%s', async (_name, useCase) => {
    const { status, error, exact = true } = useCase.expect
    if (error === undefined) throw new Error('the case has no error')
    const found = expectMetricsError(await ask(useCase), status, error.code, error.title)
    if (error.errors === undefined) return
    if (exact) expect(found.meta?.errors).toEqual(error.errors)
    else expect(keysOf(found.meta?.errors)).toEqual(keysOf(error.errors))
  })
})

describe('numbers, against the core interface', () => {
  const statuses = ['placed', 'approved', 'cancelled']

  /** One whole month of the demo data, the one before this month. */
  const month = () => {
    const now = new Date()
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 1))
    const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))
    return { from, to, last: new Date(to.getTime() - 1) }
  }

  const ordersOfCore = async () => {
    const { from, to } = month()
    return everyRecord('orders', {
      token: await accessToken('integration'),
      query: {
        'filter[q][placed_at_gteq]': from.toISOString(),
        'filter[q][placed_at_lt]': to.toISOString(),
        'filter[q][status_in]': statuses.join(','),
        include: 'market',
      },
    })
  }

  const filter = () => {
    const { from, last } = month()
    return { order: { date_from: from.toISOString(), date_to: last.toISOString(), date_field: 'placed_at' } }
  }

  const metrics = async <T>(type: string, query: object): Promise<T> => {
    const token = await accessToken('integration')
    const reply = await connect().metrics(`orders/${type}`, { [type]: query, filter: filter() }, { token })
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
    return reply.json<T>()
  }

  const amount = (order: { readonly attributes: Readonly<Record<string, unknown>> }) =>
    Math.round(Number(order.attributes['total_amount_with_taxes_float']) * 100)

  test('the sum, count, greatest and smallest of a month are those of its orders, to the cent', async () => {
    const { data, recordCount } = await ordersOfCore()
    expect(data.length).toBeGreaterThan(10)
    expect(data).toHaveLength(recordCount)
    const cents = data.map(amount)
    const query = { field: 'order.total_amount_with_taxes', operator: 'stats' }
    const { value } = (await metrics<StatsAnswer>('stats', query)).data
    expect(value).toEqual({
      count: data.length,
      min: Math.min(...cents) / 100,
      max: Math.max(...cents) / 100,
      avg: Math.round(cents.reduce((a, b) => a + b, 0) / cents.length) / 100,
      sum: cents.reduce((a, b) => a + b, 0) / 100,
    })
  })

  test('per market and per currency too', async () => {
    const { data } = await ordersOfCore()
    for (const [by, labelOf] of [
      ['order.currency_code', (order: (typeof data)[number]) => String(order.attributes['currency_code'])],
      [
        'market.id',
        (order: (typeof data)[number]) => (order.relationships?.['market']?.data as { id: string }).id,
      ],
    ] as const) {
      const query = { by, field: 'order.total_amount_with_taxes', operator: 'sum', limit: 100 }
      const buckets = (await metrics<BreakdownAnswer>('breakdown', query)).data[by] ?? []
      const expected = Map.groupBy(data, labelOf)
      expect(buckets.map(({ label }) => label).toSorted()).toEqual([...expected.keys()].toSorted())
      for (const { label, value } of buckets) {
        const sum = (expected.get(label) ?? []).reduce((total, order) => total + amount(order), 0)
        expect(Math.round(Number(value) * 100)).toBe(sum)
      }
    }
  })

  test('search gives the same orders, amounts and numbers', async () => {
    const { data } = await ordersOfCore()
    const fields = ['order.id', 'order.number', 'order.total_amount_with_taxes', 'order.status']
    const found = await metrics<SearchAnswer>('search', {
      fields,
      limit: 100,
      sort_by: 'order.placed_at',
      sort: 'desc',
    })
    expect(found.meta.pagination.record_count).toBe(data.length)
    const byId = new Map(data.map((order) => [order.id, order]))
    for (const record of found.data) {
      const order = byId.get(String(record['id']))
      if (order === undefined) throw new Error(`core has no order ${String(record['id'])}`)
      expect(String(record['number'])).toBe(String(order.attributes['number']))
      expect(record['status']).toBe(order.attributes['status'])
      expect(Math.round(Number(record['total_amount_with_taxes']) * 100)).toBe(amount(order))
    }
  })
})
