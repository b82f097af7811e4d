import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Bench, BenchContext } from '@merx/load/bench'
import { openConnections } from '@merx/load/connections'
import { spreadOf } from '@merx/load/spread'
import {
  AT_ONCE,
  inTurn,
  measureById,
  measurePages,
  measurePlacing,
  measurePurchases,
  residentOf,
  ROUNDS,
  type Contender,
  type Figures,
  type Rounds,
} from './measure.ts'
import { openMedusa } from './medusa.ts'
import { openMerx } from './merx.ts'
import type { Filling, Peer } from './peer.ts'
import type { Row } from './plot.ts'
import { BUYERS, race, type Race, type RaceKind } from './race.ts'
import { PEERS_FOLDER } from './surroundings.ts'
import { openVendure } from './vendure.ts'

/** Ten pages of 25 at least, because the last ten are measured. */
const PRODUCTS_MIN = 250

const readProducts = (): number => {
  const given = process.env['PEERS_PRODUCTS'] ?? '1000'
  const products = Number(given)
  if (Number.isInteger(products) && products >= PRODUCTS_MIN) return products
  throw new Error(`PEERS_PRODUCTS is a whole number from ${PRODUCTS_MIN} up; got "${given}"`)
}

const PRODUCTS = readProducts()
const STOCK = 20
const FILLING: Filling = {
  products: PRODUCTS,
  plenty: 1_000_000,
  scarce: { count: 2 * ROUNDS, stock: STOCK },
}
const LAST_PAGE = Math.floor(PRODUCTS / 25)
const LAST_PAGES = Array.from({ length: 10 }, (_, at) => LAST_PAGE - 9 + at)
const IDLE_SECONDS = 10
const MB = 1_048_576

/** Those of PEERS, `merx,vendure,medusa` by default. */
const openPeers = async (): Promise<readonly Peer[]> => {
  const wanted = (process.env['PEERS'] ?? 'merx,vendure,medusa').split(',')
  const peers: Peer[] = []
  for (const name of wanted) {
    if (name === 'merx') peers.push(openMerx())
    else if (name === 'vendure') peers.push(await openVendure())
    else if (name === 'medusa') peers.push(await openMedusa())
    else throw new Error(`PEERS has no ${name}; there are merx, vendure and medusa`)
  }
  return peers
}

/** Milliseconds until the first page, on databases that are full, while no other system runs. */
const measureStarts = async (peers: readonly Peer[], { say }: BenchContext) => {
  const found = new Map<string, number[]>(peers.map(({ name }) => [name, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const peer of peers) {
      const running = await peer.start()
      await running.stop()
      found.get(peer.name)?.push(running.readyInMs)
      say(`start, ${peer.name}: ${running.readyInMs.toFixed(0)} ms`)
    }
  }
  return found
}

const startAll = async (peers: readonly Peer[], { defer }: BenchContext): Promise<readonly Contender[]> => {
  const contenders: Contender[] = []
  for (const peer of peers) {
    const running = await peer.start()
    defer(running.stop)
    const connections = openConnections(running.url, AT_ONCE)
    defer(connections.close)
    contenders.push({ peer, running, connections })
  }
  return contenders
}

/** One line of the table, and of the plot. */
const rowOf = <T>(
  name: string,
  unit: string,
  rounds: ReadonlyMap<string, readonly T[]>,
  pick: (figures: T) => number,
): Row => ({
  name,
  unit,
  isMoreBetter: unit.endsWith('/s'),
  values: Object.fromEntries([...rounds].map(([peer, all]) => [peer, spreadOf(all.map(pick))])),
})

const rowsOf = (name: string, what: string, rounds: Rounds<Figures>): readonly Row[] => [
  rowOf(name, `${what}/s`, rounds, ({ perSecond }) => perSecond),
  rowOf(`${name}, median`, 'ms', rounds, ({ p50Ms }) => p50Ms),
  rowOf(`${name}, processor time each`, 'ms', rounds, ({ cpuMs }) => cpuMs),
  rowOf(`${name}, the same of PostgreSQL`, 'ms', rounds, ({ postgresMs }) => postgresMs),
]

const digitsOf = (value: number): number => (value >= 100 ? 0 : value >= 10 ? 1 : 2)

const cellOf = ({ values }: Row, peer: string): string => {
  const spread = values[peer]
  if (spread === undefined) return ''
  const { median, min, max } = spread
  const digits = digitsOf(median)
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`
}

/** The scarce products are the last ones; each is raced for once. */
const measureRaces = (contenders: readonly Contender[], kind: RaceKind, { say }: BenchContext) =>
  inTurn(contenders, ROUNDS, async (contender, round) => {
    const found = await race(contender, PRODUCTS - round - (kind === 'together' ? 0 : ROUNDS), kind)
    const { placed, promised, failures } = found
    say(`race ${kind}, ${contender.peer.name}: ${placed} placed of ${STOCK}, ${promised} promised`)
    if (failures.length > 0) say(`${failures.length} failed; the first: ${failures[0] ?? ''}`)
    return found
  })

const raceTable = (title: string, races: Rounds<Race>) => ({
  title: `${BUYERS} buyers of ${STOCK} units, ${title}`,
  columns: ['system', 'race', 'placed', 'out of stock', 'failed', 'oversold', 'promised', 'seconds'],
  rows: [...races].flatMap(([name, all]) =>
    all.map(({ placed, refused, failures, promised, seconds }, at) => [
      ...[name, at + 1, placed, refused, failures.length].map(String),
      ...[Math.max(0, placed - STOCK), promised].map(String),
      seconds.toFixed(2),
    ]),
  ),
})

const raceChecks = (kind: RaceKind, races: Rounds<Race>) =>
  (races.get('Merx') ?? []).map(({ placed, promised }) => ({
    name: `Merx sells exactly ${STOCK} units to ${BUYERS} buyers, ${kind}`,
    found: `${placed} placed, ${promised} promised`,
    isMet: placed === STOCK && promised === STOCK,
  }))

const measureAll = async (peers: readonly Peer[], context: BenchContext) => {
  const starts = await measureStarts(peers, context)
  const contenders = await startAll(peers, context)
  await wait(IDLE_SECONDS * 1000)
  const idle = new Map(contenders.map(({ peer, running }) => [peer.name, [residentOf(running)]]))
  const first = await measurePages(contenders, [1], context)
  const deep = await measurePages(contenders, LAST_PAGES, context)
  const byId = await measureById(contenders, context)
  const purchases = await measurePurchases(contenders, context)
  const placing = await measurePlacing(contenders, context)
  const together = await measureRaces(contenders, 'together', context)
  const inTurnRaces = await measureRaces(contenders, 'in turn', context)
  const rows: readonly Row[] = [
    ...rowsOf('list, page of 25', 'pages', first.rounds),
    rowOf('list, size of the answer', 'KB', new Map([...first.bytes].map(([name, bytes]) => [name, [bytes]])), (bytes) => bytes / 1024), // prettier-ignore
    ...rowsOf(`list, pages ${LAST_PAGE - 9} to ${LAST_PAGE}`, 'pages', deep.rounds),
    ...rowsOf('product by id', 'products', byId),
    ...rowsOf('whole purchase', 'purchases', purchases),
    ...rowsOf('place alone', 'orders', placing),
    rowOf('memory at rest', 'MB', idle, (bytes) => bytes / MB),
    rowOf('memory after purchases', 'MB', purchases, ({ residentBytes }) => residentBytes / MB),
    rowOf('second start', 'ms', starts, (ms) => ms),
  ]
  return { rows, together, inTurnRaces }
}

export const bench: Bench = {
  summary:
    'Merx, Vendure and Medusa side by side: the same products, the same PostgreSQL and Redis, production mode, the same client, in turn.',
  run: async (context) => {
    const peers = await openPeers()
    // Together, because each spends most of its time in a single process; nothing is measured yet.
    await Promise.all(
      peers.map(async (peer) => {
        const startedAt = performance.now()
        await peer.fill(FILLING)
        context.say(`${peer.name} is filled: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
      }),
    )
    const { rows, together, inTurnRaces } = await measureAll(peers, context)
    const figures = {
      ...{ measuredAt: new Date().toISOString(), products: PRODUCTS, rows },
      races: { together: Object.fromEntries(together), inTurn: Object.fromEntries(inTurnRaces) },
    }
    writeFileSync(path.join(PEERS_FOLDER, 'figures.json'), JSON.stringify(figures, undefined, 2))
    const names = peers.map(({ name }) => name)
    return {
      tables: [
        {
          title: `${PRODUCTS.toLocaleString('en')} products, medians of ${ROUNDS} rounds with their range`,
          columns: ['what', 'unit', ...names],
          rows: rows.map((row) => [row.name, row.unit, ...names.map((name) => cellOf(row, name))]),
        },
        raceTable('who all stand before their last request and send it at once', together),
        raceTable('ten whole purchases at once', inTurnRaces),
      ],
      checks: [...raceChecks('together', together), ...raceChecks('in turn', inTurnRaces)],
      notes: [
        `${peers.map(({ name, version, requests }) => `${name} ${version}: ${requests} requests a purchase`).join('; ')}. ${AT_ONCE} connections.`,
      ],
    }
  },
}
