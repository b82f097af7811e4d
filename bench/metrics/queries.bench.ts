import type { Bench, BenchContext, Check } from '@merx/load/bench'
import { exchange, type LoadRequest } from '@merx/load/exchange'
import { startTarget } from '@merx/load/target'
import { Client } from 'undici'
import { processorTime } from '../processor-time.ts'
import { diskUse } from './disk-use.ts'
import { changeLastQuarter, LAST_QUARTER, mergeQuarter } from './order-rows.ts'
import { pageQuery, questionsFor, shortQuestions, type PageStart, type Question } from './questions.ts'
import type { ServeMetricsFacts, ServeMetricsInput } from './serve-metrics.ts'
import { openPostgresShop, type Pool } from './shop-postgres.ts'
import { openShop, shopFolder } from './shop-store.ts'

const ROUNDS = 5
/** So that what is asked lies in the page cache. */
const WARM_UP_ROUNDS = 3
/** So that V8 has compiled what a service runs all day: how often each kind of query is asked before all. */
const WARM_UP_REQUESTS = 60
const PAGES_BEFORE = 99
const OVERHEAD_MS_MAX = 5
const OVERHEAD_RATIO_MAX = 2
const GROWTH_MAX = 10
const GROWTH_SAME_COUNT_MAX = 3
const SMALL = 1_000_000

const sizes = (): readonly number[] => {
  const given = process.env['MERX_BENCH_ORDERS'] ?? '1000000,10000000'
  const parsed = given.split(',').map(Number)
  if (parsed.every((size) => Number.isInteger(size) && size >= 100_000)) return parsed
  throw new Error(
    `MERX_BENCH_ORDERS is a list of whole numbers from 100000, such as 1000000,10000000; got "${given}"`,
  )
}

/** Milliseconds: medians of what it took, and processor time of all threads and processes, on average. */
interface Cost {
  readonly ms: number
  readonly cpuMs: number
}

interface Measured {
  readonly question: Question
  readonly service: Cost
  readonly engine: Cost
  readonly postgres: Cost
}

interface Shop {
  readonly client: Client
  readonly hand: Client
  readonly token: string
  readonly pool: Pool
  /** Processor time so far, in ms: of the process that serves and runs by hand, and of PostgreSQL. */
  readonly cpuOfTarget: () => Promise<number>
  readonly cpuOfPostgres: () => number
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const toRequest = (token: string, { path, body }: Pick<Question, 'path' | 'body'>): LoadRequest => ({
  method: 'POST',
  path: `/metrics/${path}`,
  headers: {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.api.v1+json',
    'content-type': 'application/vnd.api+json',
  },
  body: JSON.stringify(body),
})

const ask = async (client: Client, request: LoadRequest): Promise<string> => {
  const { status, body = '' } = await exchange(client, request, true)
  if (status !== 200) throw new Error(`${request.path} answers ${status}: ${body.slice(0, 500)}`)
  return body
}

const runByHand = async (hand: Client, statements: readonly string[], path = '/'): Promise<number> => {
  const body = await ask(hand, { method: 'POST', path, body: JSON.stringify(statements) })
  return (JSON.parse(body) as { ms: number }).ms
}

interface Page {
  readonly data: readonly { readonly id: string }[]
  readonly meta: { readonly pagination: { readonly cursor: string | null } }
}

/** Follows the cursors to page 100. */
const findPage = async ({ client, token, pool }: Shop): Promise<PageStart> => {
  const read = async (cursor: string | null): Promise<Page> => {
    const request = toRequest(token, { path: 'orders/search', body: pageQuery(cursor) })
    return JSON.parse(await ask(client, request)) as Page
  }
  let page = await read(null)
  for (let pages = 1; pages < PAGES_BEFORE; pages += 1) page = await read(page.meta.pagination.cursor)
  const dateOf = async (id: string | undefined): Promise<Date> => {
    const found = await pool.query<{ at: Date }>(
      'SELECT max(changed_at) AS at FROM orders WHERE public_id = $1',
      [id],
    )
    return found.rows[0]?.at ?? new Date(0)
  }
  const { cursor } = page.meta.pagination
  const last = page.data.at(-1)
  if (cursor === null || last === undefined) throw new Error('the shop has fewer than 100 pages')
  const next = await read(cursor)
  return { cursor, id: last.id, at: await dateOf(last.id), lastAt: await dateOf(next.data.at(-1)?.id) }
}

interface ShopState {
  readonly name: string
  /** Brings the shop into this state, of whatever state it is. */
  readonly statements: readonly string[]
  /** Its rows in PostgreSQL are the same in all states, and are asked in one. */
  readonly asksPostgres: boolean
}

const STATES: readonly ShopState[] = [
  { name: 'all quarters merged', statements: [mergeQuarter(LAST_QUARTER)], asksPostgres: true },
  { name: 'a quarter open', statements: [changeLastQuarter], asksPostgres: false },
]

const warmUp = async ({ client, token }: Shop): Promise<void> => {
  for (let round = 0; round < WARM_UP_REQUESTS; round += 1)
    for (const question of shortQuestions) await ask(client, toRequest(token, question))
}

/** `earlier`: the same question in an earlier state, with what PostgreSQL took there; undefined asks it. */
const measure = async (shop: Shop, question: Question, earlier: Measured | undefined): Promise<Measured> => {
  const request = toRequest(shop.token, question)
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }
  const ways = [
    {
      cpu: shop.cpuOfTarget,
      run: () => timed(() => ask(shop.client, request)),
    },
    {
      cpu: shop.cpuOfTarget,
      run: () => runByHand(shop.hand, question.byHand, question.isCountedByHand ? '/counted' : '/'),
    },
    ...(earlier === undefined
      ? [
          {
            cpu: async () => shop.cpuOfPostgres(),
            run: () =>
              timed(async () => {
                for (const statement of question.postgres) await shop.pool.query(statement)
              }),
          },
        ]
      : []),
  ]
  const costs = ways.map(() => ({ ms: [] as number[], cpuMs: 0 }))
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const turn of ways.keys()) {
      const index = (turn + round + WARM_UP_ROUNDS) % ways.length
      const [way, cost] = [ways[index], costs[index]]
      if (way === undefined || cost === undefined) continue
      const before = await way.cpu()
      const ms = await way.run()
      const after = await way.cpu()
      if (round < 0) continue
      cost.ms.push(ms)
      cost.cpuMs += (after - before) / ROUNDS
    }
  }
  const [service, engine, postgres = earlier?.postgres] = costs.map(({ ms, cpuMs }): Cost => ({
    ms: medianOf(ms),
    cpuMs,
  }))
  if (service === undefined || engine === undefined || postgres === undefined)
    throw new Error('a way is missing')
  return { question, service, engine, postgres }
}

/** `earlier`: the same questions in an earlier state. */
const measureAll = async (
  shop: Shop,
  questions: readonly Question[],
  earlier: readonly Measured[],
  say: (message: string) => void,
): Promise<readonly Measured[]> => {
  const rows: Measured[] = []
  for (const [index, question] of questions.entries()) {
    const row = await measure(shop, question, earlier[index])
    const found = [row.service, row.engine, row.postgres].map(
      ({ ms, cpuMs }) => `${ms.toFixed(1)} ms (processor ${cpuMs.toFixed(0)})`,
    )
    say(`${question.name}: ${found.join(', ')}`)
    rows.push(row)
  }
  return rows
}

const openShops = async (orders: number, { defer, say }: BenchContext): Promise<Shop> => {
  // Filled by this process, so that starting the target does not take longer than it may.
  await (await openShop(orders, say)).close()
  const input: ServeMetricsInput = { orders }
  const program = new URL('./serve-metrics.ts', import.meta.url)
  const target = await startTarget<ServeMetricsFacts>({ name: `merx ${orders}`, program, input })
  defer(target.stop)
  const { token, handUrl } = target.facts
  const options = { headersTimeout: 0, bodyTimeout: 0 }
  const [client, hand] = [new Client(target.url, options), new Client(handUrl, options)]
  defer(() => client.close())
  defer(() => hand.close())
  const writeFiles = async (statements: readonly string[]): Promise<void> => {
    await runByHand(hand, statements, '/execute')
  }
  const postgres = await openPostgresShop(orders, writeFiles, say)
  defer(postgres.close)
  return {
    client,
    hand,
    token,
    pool: postgres.pool,
    cpuOfTarget: async () => (await target.sample()).cpuMs,
    cpuOfPostgres: () => processorTime(postgres.pid),
  }
}

const factor = (over: number, under: number): number => (under === 0 ? 0 : over / under)

const COLUMNS = [
  'query',
  'service',
  'engine by hand',
  'PostgreSQL 18',
  'service / engine',
  'PostgreSQL / service',
  'processor: service',
  'engine',
  'PostgreSQL',
  'service / engine',
  'PostgreSQL / service',
]

const titleOf = (orders: number, state: ShopState): string =>
  `${orders.toLocaleString('en')} orders, ${state.name}`

const toTable = (title: string, rows: readonly Measured[]) => ({
  title: `${title}, ms`,
  columns: COLUMNS,
  rows: rows.map(({ question, service, engine, postgres }) => [
    question.name,
    ...[service, engine, postgres].map(({ ms }) => ms.toFixed(1)),
    factor(service.ms, engine.ms).toFixed(2),
    factor(postgres.ms, service.ms).toFixed(1),
    ...[service, engine, postgres].map(({ cpuMs }) => cpuMs.toFixed(0)),
    factor(service.cpuMs, engine.cpuMs).toFixed(2),
    factor(postgres.cpuMs, service.cpuMs).toFixed(1),
  ]),
})

/** The milliseconds are for HTTP and for planning. */
const overheadCheck = (title: string, rows: readonly Measured[]): Check => {
  const missed = rows.filter(
    ({ service, engine }) => service.ms > engine.ms * OVERHEAD_RATIO_MAX + OVERHEAD_MS_MAX,
  )
  return {
    name: `${title}: at most ${OVERHEAD_RATIO_MAX} times what the engine takes by hand, and ${OVERHEAD_MS_MAX} ms`,
    found: missed.length === 0 ? 'all' : `not: ${missed.map(({ question }) => question.name).join('; ')}`,
    isMet: missed.length === 0,
  }
}

const postgresCheck = (title: string, orders: number, rows: readonly Measured[]): Check => {
  const times = orders > SMALL ? 8 : 4
  const compared = rows.filter(({ question }) => question.isFasterThanPostgres)
  const worst = Math.min(...compared.map(({ service, postgres }) => factor(postgres.ms, service.ms)))
  return {
    name: `${title}: a, b, c and e at least ${times} times as fast as PostgreSQL`,
    found: `the least is ${worst.toFixed(1)}`,
    isMet: worst >= times,
  }
}

const growthOf = (all: readonly (readonly Measured[])[]) => {
  const [small, large] = [all[0] ?? [], all.at(-1) ?? []]
  return large.map(({ question, service }, index) => ({
    question,
    times: factor(service.cpuMs, small[index]?.service.cpuMs ?? 0),
  }))
}

const growthCheck = (all: readonly (readonly Measured[])[]): readonly Check[] => {
  if (all.length < 2) return []
  const grown = growthOf(all)
  const missed = grown.filter(
    ({ question, times }) => times > (question.isSameCount ? GROWTH_SAME_COUNT_MAX : GROWTH_MAX),
  )
  return [
    {
      name: `processor time from the smallest shop to the largest at most ${GROWTH_MAX} times, ${GROWTH_SAME_COUNT_MAX} times over as many orders`,
      found: grown.map(({ question, times }) => `${question.name}: ${times.toFixed(1)}`).join('; '),
      isMet: missed.length === 0,
    },
  ]
}

export const bench: Bench = {
  summary:
    'Metrics queries over HTTP, against the best SQL by hand on the same engine in the same process, and against PostgreSQL 18 with indexes on the same rows; medians of rounds in turn.',
  run: async (context) => {
    const all: (readonly Measured[])[] = []
    const tables = []
    const checks: Check[] = []
    const notes: string[] = []
    for (const orders of sizes()) {
      const shop = await openShops(orders, context)
      const questions = questionsFor(orders, await findPage(shop))
      await warmUp(shop)
      let rows: readonly Measured[] = []
      for (const state of STATES) {
        await runByHand(shop.hand, state.statements, '/execute')
        const title = titleOf(orders, state)
        rows = await measureAll(shop, questions, state.asksPostgres ? [] : rows, (message) => {
          context.say(`${title}: ${message}`)
        })
        if (state.asksPostgres) all.push(rows)
        tables.push(toTable(title, rows))
        checks.push(overheadCheck(title, rows), postgresCheck(title, orders, rows))
      }
      const [engineMb, postgresMb] = await Promise.all([
        diskUse(`${shopFolder(orders)}/engine`),
        diskUse(`${shopFolder(orders)}/postgres`),
      ])
      notes.push(
        `${orders.toLocaleString('en')} orders take ${engineMb} MB in the engine, whole, and ${postgresMb} MB in PostgreSQL with the columns that are asked for.`,
      )
    }
    return { tables, checks: [...checks, ...growthCheck(all)], notes }
  },
}
