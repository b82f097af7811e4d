/** Order lines in chdb, DuckDB and PostgreSQL: thirty questions by ClickBench's rules (lines/README.md). */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Bench, Check } from '@merx/load/bench'
import { exchange } from '@merx/load/exchange'
import { startTarget } from '@merx/load/target'
import { Client } from 'undici'
import { differenceOf } from './lines/answers.ts'
import { installDuckDb } from './lines/in-duckdb.ts'
import type { Values } from './lines/line-engine.ts'
import { writeLines, type LineFiles } from './lines/line-rows.ts'
import { dialects, ENGINES, questions, type EngineName } from './lines/questions.ts'
import type { Asked, Loaded, ServeEngineFacts, ServeEngineInput } from './lines/serve-engine.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '.merx')
const TRIES = 3
/** Added to both times, as ClickBench does, so that nobody wins by a millisecond. */
const ADDED_MS = 10

type Say = (message: string) => void

interface Timed {
  readonly coldMs: number
  readonly hotMs: number
  readonly rows: readonly Values[]
}

interface Measured {
  readonly engine: EngineName
  readonly version: string
  readonly loaded: Loaded
  /** Of the machine, when this engine's turn began. */
  readonly loadAverage: number
  /** In the order of the questions. */
  readonly times: readonly Timed[]
}

const sizes = (): readonly number[] => {
  const given = process.env['MERX_BENCH_LINES'] ?? '1000000'
  const parsed = given.split(',').map(Number)
  if (parsed.every((size) => Number.isInteger(size) && size >= 1_000)) return parsed
  throw new Error(
    `MERX_BENCH_LINES is a list of whole numbers from 1000, such as 1000000,10000000; got "${given}"`,
  )
}

/** @returns why they could not be dropped, if so: only root may, and only on Linux */
const dropCaches = async (): Promise<string | undefined> => {
  await promisify(execFile)('sync')
  return writeFile('/proc/sys/vm/drop_caches', '3').then(
    () => undefined,
    (error: unknown) => String(error),
  )
}

const post = async (client: Client, url: string, body: string): Promise<unknown> => {
  const answer = await exchange(client, { method: 'POST', path: url, body }, true)
  if (answer.status !== 200) throw new Error(`${url}: ${answer.body ?? ''}\n${body}`)
  return JSON.parse(answer.body ?? '')
}

interface Server {
  readonly version: string
  readonly load: (files: LineFiles) => Promise<Loaded>
  readonly ask: (sql: string) => Promise<Asked>
}

/** Starts the engine for `use` and stops it. */
const withEngine = async <T>(input: ServeEngineInput, use: (server: Server) => Promise<T>): Promise<T> => {
  const program = new URL('./lines/serve-engine.ts', import.meta.url)
  const target = await startTarget<ServeEngineFacts>({ name: input.engine, program, input })
  const client = new Client(target.url, { headersTimeout: 0, bodyTimeout: 0 })
  try {
    // The program and this file agree on the shapes of its answers.
    return await use({
      version: target.facts.version,
      load: async (files) => (await post(client, '/load', JSON.stringify(files))) as Loaded,
      ask: async (sql) => (await post(client, '/ask', sql)) as Asked,
    })
  } finally {
    await client.close()
    await target.stop()
  }
}

/** The first time without anything in memory: the engine was started for it, and the caches of the system dropped. */
const time = async ({ ask }: Server, sql: string): Promise<Timed> => {
  await dropCaches()
  const { ms: coldMs, rows } = await ask(sql)
  const hot: number[] = []
  for (let turn = 1; turn < TRIES; turn += 1) hot.push((await ask(sql)).ms)
  return { coldMs, hotMs: Math.min(...hot), rows }
}

const measure = async (engine: EngineName, folder: string, files: LineFiles, say: Say): Promise<Measured> => {
  const input = { engine, folder: path.join(folder, engine) }
  const [loadAverage = 0] = loadavg()
  const { loaded, version } = await withEngine(input, async (server) => ({
    loaded: await server.load(files),
    version: server.version,
  }))
  say(`${version}: loaded in ${(loaded.ms / 1000).toFixed(1)} s, ${(loaded.sizeBytes / 1e6).toFixed(0)} MB`)
  const times: Timed[] = []
  for (const [at, { name, sql }] of questions.entries()) {
    const timed = await withEngine(input, (server) => time(server, sql(dialects[engine])))
    say(`${engine}, ${at + 1}. ${name}: ${timed.coldMs.toFixed(0)} ms, ${timed.hotMs.toFixed(0)} ms`)
    times.push(timed)
  }
  // Room for the next one
  rmSync(input.folder, { recursive: true, force: true })
  return { engine, version, loaded, loadAverage, times }
}

/** Geometric mean of how much longer it took than the fastest engine. */
const ratioOf = (own: Measured, all: readonly Measured[], pick: (timed: Timed) => number): number => {
  const logs = own.times.map((timed, at) => {
    const best = Math.min(...all.map(({ times }) => pick(times[at] ?? timed)))
    return Math.log((ADDED_MS + pick(timed)) / (ADDED_MS + best))
  })
  return Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length)
}

const ms = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0))
const cold = ({ coldMs }: Timed): number => coldMs
const hot = ({ hotMs }: Timed): number => hotMs

const toTable = (lines: number, all: readonly Measured[]) => ({
  title: `${lines.toLocaleString('en')} lines: first time / best of the second and third, ms`,
  columns: ['', 'question', ...all.map(({ version }) => version)],
  rows: [
    ...questions.map(({ name }, at) => [
      String(at + 1),
      name,
      ...all
        .map(({ times }) => times[at])
        .map((timed) => (timed ? `${ms(timed.coldMs)} / ${ms(timed.hotMs)}` : '')),
    ]),
    ['', 'geometric mean of ratios to the fastest', ...all.map((one) => `${ratioOf(one, all, cold).toFixed(2)} / ${ratioOf(one, all, hot).toFixed(2)}`)], // prettier-ignore
    ['', 'load, s', ...all.map(({ loaded }) => (loaded.ms / 1000).toFixed(1))],
    ['', 'size on disk, MB', ...all.map(({ loaded }) => (loaded.sizeBytes / 1e6).toFixed(0))],
    ['', 'load average when its turn began', ...all.map(({ loadAverage }) => loadAverage.toFixed(1))],
  ],
})

/** Against the first engine. */
const checkAnswers = (lines: number, [first, ...others]: readonly Measured[]): readonly Check[] =>
  others.map(({ engine, times }) => {
    const different = questions.flatMap(({ name }, at) => {
      const difference = differenceOf(first?.times[at]?.rows ?? [], times[at]?.rows ?? [])
      return difference === undefined ? [] : [`${name}: ${difference}`]
    })
    return {
      name: `${lines.toLocaleString('en')} lines: ${engine} answers as ${first?.engine ?? ''} does`,
      found: different.length === 0 ? `all ${questions.length}` : different.join('; '),
      isMet: different.length === 0,
    }
  })

export const bench: Bench = {
  summary:
    'Thirty questions about order lines to chdb, DuckDB and PostgreSQL by the rules of ClickBench: the same rows, nothing tuned for a question, each question three times after a start of the engine.',
  run: async ({ say }) => {
    await installDuckDb()
    const notDropped = await dropCaches()
    const tables = []
    const checks: Check[] = []
    for (const lines of sizes()) {
      const folder = path.join(ROOT, `bench-lines-${lines}`)
      rmSync(folder, { recursive: true, force: true })
      try {
        const files = await writeLines(folder, lines)
        const all: Measured[] = []
        for (const engine of ENGINES) all.push(await measure(engine, folder, files, say))
        tables.push(toTable(lines, all))
        checks.push(...checkAnswers(lines, all))
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
    const caches =
      notDropped === undefined
        ? 'The caches of the system are dropped before each first time.'
        : `The caches of the system could not be dropped (${notDropped}): first times are those of an engine that was just started.`
    return { tables, checks, notes: [caches] }
  },
}
