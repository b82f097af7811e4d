import { setTimeout as wait } from 'node:timers/promises'
import { encodeId } from '@merx/core/load/load-ids'
import { openCoreSurroundings } from '@merx/core/load/start-core'
import type { LoadedCore } from '@merx/core/load/start-core'
import type { Bench, Check } from '@merx/load/bench'
import { createLatencies } from '@merx/load/latencies'
import type { Latencies } from '@merx/load/latencies'
import { openListener } from './event-listener.ts'

const SKUS = 1_000
const LISTENERS = 1_000
const LISTENERS_OF_TOKEN = 10
const SECONDS = 20
const ARRIVAL_MS_MAX = 60_000
const SETTLE_MS = 2_000

const P99_MS_MAX = 1_000
const CPU_MS_OF_DELIVERY_MAX = 0.1
const CPU_MS_OF_UNWANTED_MAX = 0.01

type Committed = Map<string, number>

interface Listening {
  readonly latencies: Latencies
  readonly close: () => Promise<void>
}

const listenWith = async (
  { target }: LoadedCore,
  count: number,
  query: string,
  committed: Committed,
): Promise<Listening> => {
  const latencies = createLatencies()
  const { adminTokens } = target.facts
  const opened = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      openListener(
        `${target.url}/api/events/stream${query}`,
        adminTokens[Math.floor(at / LISTENERS_OF_TOKEN)] ?? '',
        (id) => {
          const now = performance.now()
          latencies.add(now - (committed.get(id) ?? now))
        },
      ),
    ),
  )
  await wait(SETTLE_MS)
  return {
    latencies,
    close: async () => {
      for (const { close } of opened) close()
      await wait(SETTLE_MS)
    },
  }
}

/** So many events a second, each step a transaction. @returns how many */
const emit = async ({ pool }: LoadedCore, perSecond: number, committed: Committed): Promise<number> => {
  const stepMs = Math.max(20, 1_000 / perSecond)
  const perStep = Math.round((perSecond * stepMs) / 1_000)
  const steps = (SECONDS * 1_000) / stepMs
  const startedAt = performance.now()
  for (let step = 0; step < steps; step += 1) {
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO events (environment_id, name, resource_type, record_id)
       SELECT 1, 'skus.update', 'skus', n FROM generate_series(1, $1::integer) AS n RETURNING id`,
      [perStep],
    )
    const at = performance.now()
    for (const { id } of rows) committed.set(encodeId('events', Number(id)), at)
    await wait(Math.max(0, startedAt + (step + 1) * stepMs - performance.now()))
  }
  return steps * perStep
}

const untilArrived = async (latencies: Latencies, count: number): Promise<void> => {
  for (const from = performance.now(); latencies.count < count; await wait(20))
    if (performance.now() - from > ARRIVAL_MS_MAX) throw new Error(`${latencies.count} of ${count} arrived`)
}

interface Round {
  readonly listeners: number
  readonly perSecond: number
  readonly query?: string
}

/** Processor time of core in milliseconds, for the events of one round. */
const measure = async (core: LoadedCore, { listeners, perSecond, query = '' }: Round) => {
  const committed: Committed = new Map()
  const { latencies, close } = await listenWith(core, listeners, query, committed)
  const before = await core.target.sample(true)
  const sent = perSecond === 0 ? 0 : await emit(core, perSecond, committed)
  if (perSecond === 0) await wait(SECONDS * 1_000)
  if (query === '') await untilArrived(latencies, sent * listeners)
  const { cpuMs } = await core.target.sample(true)
  await close()
  return { sent, latencies, cpuMs: cpuMs - before.cpuMs }
}

const ms = (value: number): string => `${Math.round(value)} ms`

const arrivals = (name: string, latencies: Latencies, cpuMs: number): Check => {
  const each = cpuMs / latencies.count
  const [median, p99] = [latencies.percentile(50), latencies.percentile(99)]
  return {
    name,
    found: `p99 from commit to arrival ${ms(p99)} (median ${ms(median)}, at most ${ms(latencies.maxMs)}), ${(each * 1_000).toFixed(0)} µs of core's processor time for each of ${latencies.count} deliveries`,
    isMet: p99 < P99_MS_MAX && each < CPU_MS_OF_DELIVERY_MAX,
  }
}

export const bench: Bench = {
  summary:
    'Event streams: from the commit of an event to its arrival at listeners; core, PostgreSQL, all listeners and whoever writes share two processors.',
  run: async ({ defer, say }) => {
    const surroundings = await openCoreSurroundings(say)
    defer(surroundings.close)
    const core = await surroundings.start('event_stream', SKUS)
    say('one listener, 1,000 events a second')
    const one = await measure(core, { listeners: 1, perSecond: 1_000 })
    say('1,000 listeners that want each of 10 events a second')
    const all = await measure(core, { listeners: LISTENERS, perSecond: 10 })
    say('1,000 listeners that want none of 100 events a second')
    const topics = '?topics=orders.place'
    const none = await measure(core, { listeners: LISTENERS, perSecond: 100, query: topics })
    say('1,000 listeners while nothing happens')
    const idle = await measure(core, { listeners: LISTENERS, perSecond: 0 })
    const unwanted = Math.max(0, none.cpuMs - idle.cpuMs) / (none.sent * LISTENERS)
    return {
      checks: [
        arrivals('1 listener, 1,000 events a second', one.latencies, one.cpuMs),
        arrivals('1,000 listeners, 10 events a second', all.latencies, all.cpuMs),
        {
          name: '1,000 listeners that want none of 100 events a second',
          found: `${(unwanted * 1_000).toFixed(1)} µs of core's processor time for each listener and event`,
          isMet: unwanted < CPU_MS_OF_UNWANTED_MAX,
        },
        {
          name: '1,000 listeners while nothing happens',
          found: `${(idle.cpuMs / SECONDS / 10).toFixed(1)} % of a processor`,
          isMet: true,
        },
      ],
    }
  },
}
