import { setTimeout as wait } from 'node:timers/promises'
import { changeSku } from '@merx/core/load/core-requests'
import { encodeId } from '@merx/core/load/load-ids'
import { openCoreSurroundings } from '@merx/core/load/start-core'
import type { LoadedCore } from '@merx/core/load/start-core'
import type { Bench, BenchContext, Check } from '@merx/load/bench'
import { openConnections } from '@merx/load/connections'
import { createLatencies } from '@merx/load/latencies'
import type { Latencies } from '@merx/load/latencies'
import { openReceiver } from './webhook-receiver.ts'

const SKUS = 1_000
const EVENTS_PER_SECOND = 1_000
const STEP_MS = 20
const SECONDS = 60
const RECEIVERS_SECONDS = 20
const ARRIVAL_MS_MAX = 60_000
const WRITES_PER_SECOND = 50
const WRITES_SECONDS = 10

const P99_MS_MAX = 1_000
const SLOWER_MAX = 1.1
const MEMORY_GROWTH_MAX = 1.25

const MB = 1_048_576

/** Public id of an event → when its transaction had committed. */
type Committed = Map<string, number>

/** A subscription to one topic, whose arrivals are measured from the commit of their event. */
const subscribe = async (
  { pool }: LoadedCore,
  { topic, hangs = false }: { readonly topic: string; readonly hangs?: boolean },
  committed: Committed,
) => {
  const latencies = createLatencies()
  const receiver = await openReceiver((id) => {
    // It may arrive before whoever wrote it knows that it is committed.
    const now = performance.now()
    latencies.add(now - (committed.get(id) ?? now))
  }, hangs)
  const insert = 'INSERT INTO webhooks (environment_id, topic, callback_url) VALUES (1, $1, $2)'
  await pool.query(insert, [topic, receiver.url])
  return {
    latencies,
    close: async () => {
      await pool.query('DELETE FROM webhooks WHERE callback_url = $1', [receiver.url])
      await receiver.close()
    },
  }
}

/** 1,000 events a second, each step a transaction, in turn of the topics. */
const emit = async (
  { pool }: LoadedCore,
  { topics, seconds }: { readonly topics: readonly string[]; readonly seconds: number },
  committed: Committed,
): Promise<number> => {
  const perStep = (EVENTS_PER_SECOND * STEP_MS) / 1000
  const steps = (seconds * 1000) / STEP_MS
  const startedAt = performance.now()
  for (let step = 0; step < steps; step += 1) {
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO events (environment_id, name, resource_type, record_id)
       SELECT 1, topic, split_part(topic, '.', 1), $2::integer + n FROM (
         SELECT n, ($1::text[])[1 + n % cardinality($1::text[])] AS topic FROM generate_series(1, $3::integer) AS n
       ) AS numbered RETURNING id`,
      [topics, (step * perStep) % (SKUS - perStep), perStep],
    )
    const at = performance.now()
    for (const { id } of rows) committed.set(encodeId('events', Number(id)), at)
    await wait(Math.max(0, startedAt + (step + 1) * STEP_MS - performance.now()))
  }
  return steps * perStep
}

const untilArrived = async (latencies: Latencies, count: number): Promise<void> => {
  for (const from = performance.now(); latencies.count < count; await wait(20))
    if (performance.now() - from > ARRIVAL_MS_MAX) throw new Error(`${latencies.count} of ${count} arrived`)
}

const measureOne = async (core: LoadedCore, { say }: BenchContext): Promise<readonly Check[]> => {
  const committed: Committed = new Map()
  const topics = ['skus.update']
  const { latencies, close } = await subscribe(core, { topic: 'skus.update' }, committed)
  await wait(2_000) // the dispatcher looks once a second while there is no webhook
  await untilArrived(latencies, await emit(core, { topics, seconds: 5 }, committed))
  say('1,000 events a second to one receiver')
  const warm = latencies.count
  const before = await core.target.sample(true)
  const startedAt = performance.now()
  const sent = await emit(core, { topics, seconds: SECONDS }, committed)
  const perSecond = sent / ((performance.now() - startedAt) / 1000)
  await untilArrived(latencies, warm + sent)
  const after = await core.target.sample(true)
  await close()
  const growth = after.heapUsedBytes / before.heapUsedBytes
  const cpu = (after.cpuMs - before.cpuMs) / sent
  return [
    {
      name: `p99 from commit to arrival at ${Math.round(perSecond)} events a second, one receiver`,
      found: `${Math.round(latencies.percentile(99))} ms (median ${Math.round(latencies.percentile(50))}, at most ${Math.round(latencies.maxMs)}), ${cpu.toFixed(2)} ms of core's processor time each`,
      isMet: latencies.percentile(99) < P99_MS_MAX && perSecond > EVENTS_PER_SECOND * 0.95,
    },
    {
      name: `heap after ${sent} deliveries`,
      found: `${Math.round(before.heapUsedBytes / MB)} to ${Math.round(after.heapUsedBytes / MB)} MB`,
      isMet: growth <= MEMORY_GROWTH_MAX,
    },
  ]
}

const TYPES = ['skus', 'prices', 'stock_items', 'customers', 'addresses']
const TOPICS = TYPES.flatMap((type) => [`${type}.create`, `${type}.destroy`])

const measureTen = async (core: LoadedCore, hanging: number): Promise<Latencies> => {
  const committed: Committed = new Map()
  const opened = await Promise.all(
    TOPICS.map((topic, at) => subscribe(core, { topic, hangs: at < hanging }, committed)),
  )
  await wait(2_000)
  const sent = await emit(core, { topics: TOPICS, seconds: RECEIVERS_SECONDS }, committed)
  const all = createLatencies()
  for (const { latencies } of opened.slice(hanging)) {
    await untilArrived(latencies, sent / TOPICS.length)
    for (let percent = 0.5; percent < 100; percent += 1) all.add(latencies.percentile(percent))
  }
  for (const { close } of opened) await close()
  await core.pool.query('DELETE FROM webhook_deliveries')
  return all
}

/** Median of PATCH of a SKU at a steady rate, so that what else the processors do does not count as waiting in line. */
const writeMs = async ({ target }: LoadedCore): Promise<number> => {
  const { adminToken, ids } = target.facts
  const connections = openConnections(target.url, 4)
  const latencies = createLatencies()
  const steps = WRITES_PER_SECOND * WRITES_SECONDS
  const startedAt = performance.now()
  const writes: Promise<void>[] = []
  for (let step = 0; step < steps; step += 1) {
    const send = async (): Promise<void> => {
      const sentAt = performance.now()
      const { status } = await connections.send(
        changeSku(adminToken, ids.sku, { name: `Article ${step}-${sentAt}` }),
      )
      if (status !== 200) throw new Error(`a write was answered with ${status}`)
      latencies.add(performance.now() - sentAt)
    }
    writes.push(send())
    await wait(Math.max(0, startedAt + ((step + 1) * 1000) / WRITES_PER_SECOND - performance.now()))
  }
  await Promise.all(writes)
  await connections.close()
  return latencies.percentile(50)
}

const measureWrites = async (core: LoadedCore): Promise<Check> => {
  await writeMs(core)
  const rounds: { readonly without: number; readonly with: number }[] = []
  for (let round = 0; round < 3; round += 1) {
    const without = await writeMs(core)
    const { close } = await subscribe(core, { topic: 'skus.update' }, new Map())
    await wait(2_000)
    rounds.push({ without, with: await writeMs(core) })
    await close()
  }
  const ratios = rounds.map((round) => round.with / round.without).toSorted((a, b) => a - b)
  const median = ratios[1] ?? Number.NaN
  return {
    name: `PATCH of a SKU, ${WRITES_PER_SECOND} a second, median with a webhook against without`,
    found: `${median.toFixed(2)} times (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
    isMet: median <= SLOWER_MAX,
  }
}

export const bench: Bench = {
  summary:
    'Webhooks: from the commit of an event to its arrival at receivers on this machine; core, PostgreSQL, receivers and whoever writes share two processors.',
  run: async (context) => {
    const { defer, say } = context
    const surroundings = await openCoreSurroundings(say)
    defer(surroundings.close)
    const core = await surroundings.start('webhooks', SKUS)
    const writes = await measureWrites(core)
    const one = await measureOne(core, context)
    say('ten receivers, then one of them hangs')
    const quick = await measureTen(core, 0)
    const others = await measureTen(core, 1)
    const [before, after] = [quick.percentile(99), others.percentile(99)]
    return {
      checks: [
        ...one,
        {
          name: 'p99 of the other nine while one of ten receivers hangs',
          found: `${Math.round(after)} ms, ${Math.round(before)} ms while none hangs`,
          isMet: after < P99_MS_MAX,
        },
        writes,
      ],
    }
  },
}
