/** The measurements that every system gets, in turn, round after round. */
import type { BenchContext } from '@merx/load/bench'
import { runClosedLoop, type CallerOf } from '@merx/load/closed-loop'
import type { Connections } from '@merx/load/connections'
import type { LoadRequest } from '@merx/load/exchange'
import { processorTime } from '../processor-time.ts'
import type { Peer, Purchase, Running } from './peer.ts'
import { backendTimes, memoryOf } from './surroundings.ts'

export const ROUNDS = 3
export const AT_ONCE = 10
const PAGE_SECONDS = 5
const PURCHASE_SECONDS = 10
const WARM_UP_SECONDS = 4
const PLACED_IN_A_ROUND = 40
/** Products that are bought and read by id, one after the other. */
const PRODUCTS_IN_USE = 500

/** One system while it runs. */
export interface Contender {
  readonly peer: Peer
  readonly running: Running
  readonly connections: Connections
}

/** Of one system in one round. */
export interface Figures {
  readonly perSecond: number
  /** From request to answer, or of a whole purchase. */
  readonly p50Ms: number
  /** Processor time of its own processes for each. */
  readonly cpuMs: number
  /** Of the processes of PostgreSQL that serve it. */
  readonly postgresMs: number
}

/** Figures of each round, by the name of the system. */
export type Rounds<T> = ReadonlyMap<string, readonly T[]>

/** Each round begins with another system. */
export const inTurn = async <T>(
  contenders: readonly Contender[],
  rounds: number,
  measure: (contender: Contender, round: number) => Promise<T>,
): Promise<Rounds<T>> => {
  const found = new Map<string, T[]>(contenders.map(({ peer }) => [peer.name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const contender = contenders[(turn + round) % contenders.length]
      if (contender === undefined) continue
      found.get(contender.peer.name)?.push(await measure(contender, round))
    }
  }
  return found
}

const cpuOf = ({ processes }: Running): number =>
  processes.reduce((sum, { child }) => sum + processorTime(child.pid ?? 0), 0)

/** What `act` costs, divided by how many it says it did. */
const costOf = async <T extends { readonly count: number }>(
  { peer, running }: Contender,
  act: () => Promise<T>,
): Promise<T & Pick<Figures, 'cpuMs' | 'postgresMs'>> => {
  const [cpu, backends] = [cpuOf(running), await backendTimes(peer.databases)]
  const done = await act()
  const cpuMs = (cpuOf(running) - cpu) / done.count
  let postgresMs = 0
  for (const [pid, ms] of await backendTimes(peer.databases)) postgresMs += ms - (backends.get(pid) ?? 0)
  return { ...done, cpuMs, postgresMs: postgresMs / done.count }
}

/** @returns bytes of all its processes */
export const residentOf = ({ processes }: Running): number =>
  processes.reduce((sum, { child }) => sum + memoryOf(child), 0)

/** @throws Error when the answer is not a page of 25 products */
const requireFullPage = async ({ peer, running, connections }: Contender, request: LoadRequest) => {
  const { status, body = '' } = await connections.send(request)
  if (status !== 200 || !running.isFullPage(body))
    throw new Error(`${peer.name} gives no full page: ${status} ${body.slice(0, 300)}`)
  return body.length
}

/** @returns bytes of a page of each. With several pages, each connection goes from one to the next. */
export const measurePages = async (
  contenders: readonly Contender[],
  pages: readonly number[],
  { say }: BenchContext,
) => {
  const [last = 1] = pages.slice(-1)
  const bytes = new Map<string, number>()
  for (const contender of contenders)
    bytes.set(contender.peer.name, await requireFullPage(contender, contender.running.listPage(last)))
  const rounds = await measureRequests(
    contenders,
    ({ running }) => each(pages.map((page) => running.listPage(page))),
    { name: `page ${last}`, say },
  )
  return { bytes, rounds }
}

const each =
  (requests: readonly LoadRequest[]): CallerOf =>
  (connection) => {
    let turn = connection
    return {
      next: () => {
        turn += 1
        const request = requests[turn % requests.length]
        if (request === undefined) throw new Error('there is nothing to send')
        return request
      },
    }
  }

export const measureById = (contenders: readonly Contender[], { say }: BenchContext) => {
  const products = Array.from({ length: PRODUCTS_IN_USE }, (_, at) => at + 1)
  return measureRequests(contenders, ({ running }) => each(products.map(running.byId)), {
    name: 'product by id',
    say,
  })
}

const measureRequests = (
  contenders: readonly Contender[],
  callerOf: (contender: Contender) => CallerOf,
  { name, say }: { readonly name: string; readonly say: BenchContext['say'] },
): Promise<Rounds<Figures>> => {
  const load = (contender: Contender, seconds: number) =>
    runClosedLoop({
      url: contender.running.url,
      callerOf: callerOf(contender),
      connections: AT_ONCE,
      seconds,
    })
  return inTurn(contenders, ROUNDS, async (contender, round) => {
    if (round === 0) await load(contender, WARM_UP_SECONDS)
    const found = await costOf(contender, async () => {
      const { requests, requestsPerSecond, p50Ms, failures, failure } = await load(contender, PAGE_SECONDS)
      if (failures > 0) throw new Error(`${contender.peer.name}: ${failure ?? ''}`)
      return { count: requests, perSecond: requestsPerSecond, p50Ms }
    })
    say(`${name}, ${contender.peer.name}: ${found.perSecond.toFixed(0)}/s, p50 ${found.p50Ms.toFixed(1)} ms`)
    return found
  })
}

let buyers = 0

const begin = ({ running, connections }: Contender): Purchase => {
  buyers += 1
  return running.beginPurchase(
    connections,
    1 + (buyers % PRODUCTS_IN_USE),
    `buyer-${Date.now()}-${buyers}@example.com`,
  )
}

/** All but the last request. */
export const prepare = async (purchase: Purchase): Promise<Purchase> => {
  await purchase.fillCart()
  await purchase.checkOut()
  await purchase.pay()
  return purchase
}

const placeOrFail = async (purchase: Purchase): Promise<void> => {
  if (!(await purchase.place())) throw new Error('what does not run out was out of stock')
}

/** Ten at once, each again when it is done, as long as `goesOn`. */
export const repeat = async (goesOn: () => boolean, act: () => Promise<void>) => {
  const tookMs: number[] = []
  const startedAt = performance.now()
  const work = async (): Promise<void> => {
    while (goesOn()) {
      const begunAt = performance.now()
      await act()
      tookMs.push(performance.now() - begunAt)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const seconds = (performance.now() - startedAt) / 1000
  const sorted = tookMs.toSorted((a, b) => a - b)
  return {
    count: tookMs.length,
    perSecond: tookMs.length / seconds,
    p50Ms: sorted[sorted.length >> 1] ?? NaN,
  }
}

const forSeconds = (seconds: number): (() => boolean) => {
  const endsAt = performance.now() + seconds * 1000
  return () => performance.now() < endsAt
}

export const measurePurchases = (contenders: readonly Contender[], { say }: BenchContext) =>
  inTurn(contenders, ROUNDS, async (contender, round) => {
    const buy = async () => placeOrFail(await prepare(begin(contender)))
    if (round === 0) await repeat(forSeconds(WARM_UP_SECONDS), buy)
    const found = await costOf(contender, () => repeat(forSeconds(PURCHASE_SECONDS), buy))
    say(
      `purchases, ${contender.peer.name}: ${found.perSecond.toFixed(1)}/s, p50 ${found.p50Ms.toFixed(0)} ms`,
    )
    return { ...found, residentBytes: residentOf(contender.running) }
  })

export const measurePlacing = (contenders: readonly Contender[], { say }: BenchContext) =>
  inTurn(contenders, ROUNDS, async (contender): Promise<Figures> => {
    const ready: Purchase[] = []
    let left = PLACED_IN_A_ROUND
    await repeat(
      () => left-- > 0,
      async () => {
        ready.push(await prepare(begin(contender)))
      },
    )
    const found = await costOf(contender, () =>
      repeat(
        () => ready.length > 0,
        async () => {
          const purchase = ready.pop()
          if (purchase !== undefined) await placeOrFail(purchase)
        },
      ),
    )
    say(`placing, ${contender.peer.name}: ${found.perSecond.toFixed(1)}/s, p50 ${found.p50Ms.toFixed(0)} ms`)
    return found
  })
