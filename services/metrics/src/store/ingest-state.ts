/**
 * The state of the ingest in the store: how far each generation is filled, and which rebuild is wanted. Rows are versioned
 * by the token of the lease, so that a leader that was paused cannot undo what a later one wrote
 * (docs/adr/0034-one-ingester-per-store.md).
 */
import { randomUUID } from 'node:crypto'
import type { Engine } from '../engine/engine.ts'
import type { Budget } from '../request/limits.ts'

export interface Position {
  /** Undefined: the feed is read from the start. */
  readonly cursor: string | undefined
  /** The tables have held everything at least once, so their answers are at worst late, never partial. */
  readonly hasCaughtUp: boolean
  /** Entries applied so far, repeated ones too. */
  readonly applied: number
}

export const START: Position = { cursor: undefined, hasCaughtUp: false, applied: 0 }

export interface RebuildRequest {
  readonly generation: number
  /** The least shape that the leader must know to build it. */
  readonly shape: number
}

export interface IngestState {
  /** Of the store; the same for every process that uses it. */
  readonly storeName: string
  /** The highest token that anything was written with. */
  readonly token: number
  positionOf(generation: number): Position | undefined
  readonly request: RebuildRequest | undefined
}

export interface StateStore {
  read(): Promise<IngestState>
  savePosition(
    token: number,
    generation: number,
    position: Position & { readonly cursor: string },
  ): Promise<void>
  /** Requests that the leader builds a generation; repeating it changes nothing. */
  requestRebuild(request: RebuildRequest): Promise<void>
}

const budget: Budget = { timeoutMs: 30_000, memoryBytesMax: 500_000_000, groupsMax: 10_000, rowsMax: 10_000 }

const NAME = 'name of the store'
const REQUEST = 'rebuild wanted'
const positionName = (generation: number): string => `position ${generation}`

/** Versions of one token: more than any holder writes. */
const WRITES_PER_TOKEN = 2n ** 32n

const READ = 'SELECT name, value, version FROM ingest_state FINAL'

type Values = ReadonlyMap<string, { readonly value: string; readonly version: bigint }>

const highestVersion = (values: Values): bigint =>
  [...values]
    .filter(([name]) => name.startsWith('position '))
    .reduce((most, [, { version }]) => (version > most ? version : most), 0n)

const toState = (values: Values): IngestState => {
  const parse = (name: string): unknown => {
    const found = values.get(name)
    return found === undefined ? undefined : JSON.parse(found.value)
  }
  return {
    storeName: values.get(NAME)?.value ?? '',
    token: Number(highestVersion(values) / WRITES_PER_TOKEN),
    positionOf: (generation) => parse(positionName(generation)) as Position | undefined,
    request: parse(REQUEST) as RebuildRequest | undefined,
  }
}

export const createStateStore = (engine: Engine): StateStore => {
  let writes = 0n

  const write = (name: string, value: string, version: bigint): Promise<void> =>
    engine.insert('ingest_state', [{ name, value, version: String(version) }])

  const readValues = async (): Promise<Values> => {
    const rows = await engine.run({ text: READ, params: {} }, budget)
    const values = new Map(
      rows.map(({ name, value, version }) => [
        String(name),
        { value: String(value), version: BigInt(String(version)) },
      ]),
    )
    // A process may come back to the token of the one before it (a lease taken again by the same holder).
    const written = highestVersion(values) % WRITES_PER_TOKEN
    if (written > writes) writes = written
    return values
  }

  return {
    read: async () => {
      const values = await readValues()
      if (values.has(NAME)) return toState(values)
      // Of two processes that open an empty store at once, the later name counts; both read it before each lease.
      await write(NAME, randomUUID(), BigInt(Date.now()))
      return toState(await readValues())
    },
    savePosition: async (token, generation, position) => {
      writes += 1n
      await write(
        positionName(generation),
        JSON.stringify(position),
        BigInt(token) * WRITES_PER_TOKEN + writes,
      )
    },
    requestRebuild: async (request) => {
      await write(REQUEST, JSON.stringify(request), BigInt(request.generation))
    },
  }
}
