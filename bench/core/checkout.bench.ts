import { addToCart, beginOrder, startOfOrder } from '@merx/core/load/checkout-requests'
import { fillCheckout, sellableSkus } from '@merx/core/load/fill-checkout'
import { fillShop } from '@merx/core/load/fill-shop'
import { encodeId } from '@merx/core/load/load-ids'
import { beginPurchase } from '@merx/core/load/purchase'
import type { Purchase } from '@merx/core/load/purchase'
import { startCores } from '@merx/core/load/start-cores'
import type { Cores } from '@merx/core/load/start-cores'
import { migrationsFolder } from '@merx/core/migrate'
import { startBareExpress, toRecorded } from '@merx/load/bare-express'
import type { RecordedAnswer } from '@merx/load/bare-express'
import type { Bench, BenchContext } from '@merx/load/bench'
import { openConnections } from '@merx/load/connections'
import type { Connections } from '@merx/load/connections'
import type { LoadRequest } from '@merx/load/exchange'
import { spreadOf } from '@merx/load/spread'
import type { Spread } from '@merx/load/spread'
import { createDatabaseIfMissing, withDatabase } from '@merx/postgres/create-database'
import { migrate } from '@merx/postgres/migrate'
import { createPool } from '@merx/postgres/pool'
import { silentLogger } from '@merx/testing/silent-logger'
import { startTestServers } from '@merx/testing/test-servers'
import { parentOf, processorTime } from '../processor-time.ts'
import { fillPromotions, PROMOTIONS } from './fill-promotions.ts'
import { race } from './race.ts'

const SKUS = 3_000
const BUYERS_AT_ONCE = 10
const ROUNDS = 5
const ROUND_SECONDS = 6
const WARM_UP_SECONDS = 5
const PLACED_IN_A_ROUND = 150
const LINES = 100
const REFRESHES_IN_A_ROUND = 40

const PURCHASE_MS_MAX = 30
const PURCHASES_PER_SECOND_MIN = 60
const PLACE_MS_MAX = 8
const REFRESH_MS_MAX = 10
const RACE_SECONDS_MAX = 5

interface System {
  readonly cores: Cores
  readonly pool: ReturnType<typeof createPool>
  readonly postmaster: number
}

const openSystem = async ({ defer, say }: BenchContext): Promise<System> => {
  const servers = await startTestServers(['postgres'])
  defer(() => servers.stop())
  const databaseUrl = withDatabase(servers.postgresUrl ?? '', 'core_checkout')
  await createDatabaseIfMissing(databaseUrl)
  await migrate({ url: databaseUrl, folder: migrationsFolder, log: silentLogger })
  await fillShop(databaseUrl, SKUS, say)
  await fillCheckout(databaseUrl)
  const pool = createPool({
    url: databaseUrl,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'bench',
  })
  defer(() => pool.end())
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const cores = await startCores(databaseUrl, 2)
  defer(cores.stop)
  return { cores, pool, postmaster: parentOf(rows[0]?.pid ?? 0) }
}

interface Cost {
  readonly count: number
  readonly perSecond: number
  readonly coreMs: number
  readonly postgresMs: number
}

const totalMs = ({ coreMs, postgresMs }: Cost): number => coreMs + postgresMs

/** Processor time of the first core and of PostgreSQL for each of the things that `act` does, and says how many. */
const costOf = async ({ cores, postmaster }: System, act: () => Promise<number>): Promise<Cost> => {
  const [core] = cores.targets
  if (core === undefined) throw new Error('no core was started')
  const [{ cpuMs }, postgres, startedAt] = [await core.sample(), processorTime(postmaster), performance.now()]
  const count = await act()
  const seconds = (performance.now() - startedAt) / 1000
  const after = await core.sample()
  return {
    count,
    perSecond: count / seconds,
    coreMs: (after.cpuMs - cpuMs) / count,
    postgresMs: (processorTime(postmaster) - postgres) / count,
  }
}

/** The last ones are raced for. */
const numbers = sellableSkus(SKUS)
const raced = numbers.slice(-2)
const skus = numbers.slice(0, -2).map((number) => encodeId('skus', number))
let buyers = 0

const buy = async (connections: Connections, token: string): Promise<void> => {
  buyers += 1
  const purchase = beginPurchase(connections, token, `buyer-${buyers}@example.com`)
  const goods = [buyers * 7, buyers * 7 + 1].map((at) => ({ sku: skus[at % skus.length] ?? '', quantity: 1 }))
  await purchase.fillCart(goods)
  await purchase.checkOut()
  await purchase.pay()
  const { status, body = '' } = await purchase.place()
  if (status !== 200) throw new Error(`a purchase was refused: ${body}`)
}

/** Each of the buyers begins again when the purchase is done, until the time is over or `once` says that there is no more. */
const whileBuying = async (seconds: number, once: () => Promise<boolean | void>): Promise<number> => {
  const endsAt = performance.now() + seconds * 1000
  let count = 0
  const shop = async (): Promise<void> => {
    for (let goesOn: boolean | void = true; goesOn !== false && performance.now() < endsAt; count += 1)
      goesOn = await once()
  }
  await Promise.all(Array.from({ length: BUYERS_AT_ONCE }, shop))
  return count
}

/** The requests of one purchase, and an Express application that answers each with the same bytes. */
const recordPurchase = async (connections: Connections, token: string) => {
  const requests: LoadRequest[] = []
  const answers: RecordedAnswer[] = []
  await buy(
    {
      ...connections,
      send: async (request) => {
        const answer = await connections.send(request)
        requests.push(request)
        answers.push(toRecorded(request, answer))
        return answer
      },
    },
    token,
  )
  return { requests, bare: await startBareExpress(answers) }
}

const measurePurchases = async (system: System, { defer, say }: BenchContext) => {
  const [core] = system.cores.targets
  const { marketToken: token } = system.cores.tokens
  const connections = openConnections(core?.url ?? '', BUYERS_AT_ONCE)
  defer(connections.close)
  const { requests, bare } = await recordPurchase(connections, token)
  defer(bare.stop)
  const toBare = openConnections(bare.url, BUYERS_AT_ONCE)
  defer(toBare.close)
  const once = () => buy(connections, token)
  const onceBare = async (): Promise<void> => {
    for (const request of requests) await toBare.send(request)
  }
  say('purchases: warming up')
  await whileBuying(WARM_UP_SECONDS, once)
  await whileBuying(1, onceBare)
  // As autovacuum does a minute after a shop has begun to sell.
  await system.pool.query('ANALYZE')
  const bareMs: number[] = []
  const costs = await inRounds('purchases', say, async () => {
    const before = (await bare.sample()).cpuMs
    const count = await whileBuying(1, onceBare)
    bareMs.push(((await bare.sample()).cpuMs - before) / count)
    return costOf(system, () => whileBuying(ROUND_SECONDS, once))
  })
  return { requests: requests.length, costs, bareMs: spreadOf(bareMs), connections }
}

const inRounds = async (
  name: string,
  say: BenchContext['say'],
  measure: () => Promise<Cost>,
): Promise<readonly Cost[]> => {
  const costs: Cost[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const cost = await measure()
    costs.push(cost)
    say(
      `${name}: round ${round} of ${ROUNDS}: ${cost.perSecond.toFixed(1)}/s, ${totalMs(cost).toFixed(1)} ms each`,
    )
  }
  return costs
}

/** From now on the shop has promotions, of which every order meets some. */
const measurePurchasesWithPromotions = async (
  system: System,
  connections: Connections,
  { say }: BenchContext,
) => {
  const { adminToken, marketToken } = system.cores.tokens
  await fillPromotions(adminToken, connections.send)
  const once = () => buy(connections, marketToken)
  say('purchases with promotions: warming up')
  await whileBuying(WARM_UP_SECONDS, once)
  return inRounds('purchases with promotions', say, () =>
    costOf(system, () => whileBuying(ROUND_SECONDS, once)),
  )
}

const measurePlacing = async (system: System, connections: Connections, { say }: BenchContext) => {
  const { marketToken: token } = system.cores.tokens
  const prepare = async () => {
    buyers += 1
    const at = buyers
    const purchase = beginPurchase(connections, token, `buyer-${at}@example.com`)
    await purchase.fillCart(
      [at * 7, at * 7 + 1].map((sku) => ({ sku: skus[sku % skus.length] ?? '', quantity: 1 })),
    )
    await purchase.checkOut()
    await purchase.pay()
    return purchase
  }
  const costs: Cost[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    say(`placing: round ${round} of ${ROUNDS}`)
    const ready: Purchase[] = []
    await whileBuying(Infinity, async () => {
      ready.push(await prepare())
      return ready.length < PLACED_IN_A_ROUND
    })
    costs.push(
      await costOf(system, async () => {
        const left = [...ready]
        await whileBuying(Infinity, async () => {
          const answer = await left.shift()?.place()
          if (answer !== undefined && answer.status !== 200)
            throw new Error(`an order was not placed: ${answer.body ?? ''}`)
          return left.length > 0
        })
        return ready.length
      }),
    )
  }
  return costs
}

const measureRefreshing = async (system: System, connections: Connections, { say }: BenchContext) => {
  const { adminToken, marketToken } = system.cores.tokens
  const made = await connections.send(beginOrder(marketToken))
  const { id } = (JSON.parse(made.body ?? '') as { readonly data: { readonly id: string } }).data
  for (let line = 0; line < LINES; line += 1)
    await connections.send(addToCart(marketToken, id, skus[line] ?? '', 1 + (line % 3)))
  const refresh = () => connections.send(startOfOrder(adminToken, id, '_refresh'))
  const costs: Cost[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    say(`refreshing: round ${round} of ${ROUNDS}`)
    const cost = await costOf(system, async () => {
      for (let turn = 0; turn < REFRESHES_IN_A_ROUND; turn += 1) {
        const { status, body = '' } = await refresh()
        if (status !== 200) throw new Error(`an order was not refreshed: ${body}`)
      }
      return REFRESHES_IN_A_ROUND
    })
    if (round > 0) costs.push(cost)
  }
  return costs
}

const text = ({ median, min, max }: Spread, digits = 1): string =>
  `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`

const rowOf = (name: string, costs: readonly Cost[]): readonly string[] => [
  name,
  text(spreadOf(costs.map(({ coreMs }) => coreMs))),
  text(spreadOf(costs.map(({ postgresMs }) => postgresMs))),
  text(spreadOf(costs.map(totalMs))),
  text(spreadOf(costs.map(({ perSecond }) => perSecond)), 0),
]

const checkOf = (name: string, costs: readonly Cost[], max: number) => {
  const found = spreadOf(costs.map(totalMs)).median
  return {
    name: `${name}, at most ${max} ms of processor time`,
    found: `${found.toFixed(1)} ms`,
    isMet: found <= max,
  }
}

export const bench: Bench = {
  summary:
    'A whole purchase (order, two lines, address, email with addresses and payment method, shipping method, payment source, place), `_place` alone, and `_refresh` of an order of 100 lines: processor time of core and of PostgreSQL apart, against bare Express that answers the requests of the purchase with the same bytes; and races of buyers over two processes of core.',
  run: async (context) => {
    const system = await openSystem(context)
    const purchases = await measurePurchases(system, context)
    const placing = await measurePlacing(system, purchases.connections, context)
    const refreshing = await measureRefreshing(system, purchases.connections, context)
    const races = [
      await race({ buyers: 200, pieces: 50, sku: raced[0] ?? 0 }, system, context),
      await race({ buyers: 1_000, pieces: 1, sku: raced[1] ?? 0 }, system, context),
    ]
    const withPromotions = await measurePurchasesWithPromotions(system, purchases.connections, context)
    const rate = spreadOf(purchases.costs.map(({ perSecond }) => perSecond)).median
    return {
      tables: [
        {
          title: 'Processor time, ms each',
          columns: ['what', 'core', 'PostgreSQL', 'together', 'a second'],
          rows: [
            ['bare Express, the same requests', text(purchases.bareMs, 2), '', text(purchases.bareMs, 2), ''],
            rowOf('a whole purchase', purchases.costs),
            rowOf(`a whole purchase, ${PROMOTIONS} promotions in force`, withPromotions),
            rowOf('`_place` alone', placing),
            rowOf(`\`_refresh\` of ${LINES} lines`, refreshing),
          ],
        },
        {
          title: 'Races over two processes of core, seconds of each phase',
          columns: ['buyers', 'pieces', 'cart', 'check out', 'pay', 'place', 'all', 'placed', 'others'],
          rows: races.map(({ cells }) => cells),
        },
      ],
      checks: [
        checkOf('a whole purchase', purchases.costs, PURCHASE_MS_MAX),
        {
          name: `purchases a second of one core, at least ${PURCHASES_PER_SECOND_MIN}`,
          found: rate.toFixed(0),
          isMet: rate >= PURCHASES_PER_SECOND_MIN,
        },
        checkOf('`_place` alone', placing, PLACE_MS_MAX),
        checkOf(`\`_refresh\` of ${LINES} lines`, refreshing, REFRESH_MS_MAX),
        ...races.map(({ name, found, isRight, seconds }, at) => ({
          name: `${name}${at === 0 ? `, within ${RACE_SECONDS_MAX} s` : ''}`,
          found,
          isMet: isRight && (at > 0 || seconds <= RACE_SECONDS_MAX),
        })),
      ],
      notes: [
        `A purchase is ${purchases.requests} requests. ${BUYERS_AT_ONCE} buyers at once at one process of core; medians of ${ROUNDS} rounds with their range. The shop has ${SKUS.toLocaleString('en')} SKUs.`,
      ],
    }
  },
}
