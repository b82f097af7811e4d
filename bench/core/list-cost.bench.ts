import { skusPage } from '@merx/core/load/core-requests'
import { fillOrdering } from '@merx/core/load/fill-shop'
import { openCoreSurroundings } from '@merx/core/load/start-core'
import type { LoadedCore } from '@merx/core/load/start-core'
import type { Bench, Check } from '@merx/load/bench'
import { exchange } from '@merx/load/exchange'
import type { LoadRequest } from '@merx/load/exchange'
import { Client } from 'undici'
import { changeSellability } from './change-sellability.ts'
import { countOf, listQuestions, otherQuestions } from './list-questions.ts'
import type { Question } from './list-questions.ts'
import { sizesOf } from './sizes.ts'

const SIZES = [1_000, 100_000, 1_000_000]
const RATIO_MAX = 2
const ROUNDS_OF = { questions: 80, others: 20 }
const WARM_UP_ROUNDS = 10
const WRITES_PER_SECOND = 500
const WRITING_SECONDS = 8

interface Asked extends LoadedCore {
  readonly client: Client
  readonly questions: readonly Question[]
  readonly others: readonly Question[]
  /** Nothing that is shown changes, but nothing that was answered before is given again. */
  readonly change: () => Promise<unknown>
}

const prepare = async (loaded: LoadedCore): Promise<Asked> => {
  const client = new Client(loaded.target.url)
  const change = () =>
    loaded.pool.query(`UPDATE prices SET compare_at_amount_cents = compare_at_amount_cents + 1
      WHERE environment_id = 1 AND price_list_id = 2 AND sku_id = 2`)
  const questions = await listQuestions(loaded, client)
  return { ...loaded, client, questions, others: await otherQuestions(loaded, client), change }
}

const timed = async (client: Client, request: LoadRequest): Promise<number> => {
  const startedAt = performance.now()
  const { status } = await exchange(client, request, false)
  if (status !== 200) throw new Error(`${request.path} answers ${status}`)
  return performance.now() - startedAt
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Milliseconds by question and size: every size in turn, so that what else the machine does falls on all alike. */
const measure = async (
  cores: readonly Asked[],
  which: 'questions' | 'others',
  isChanged: boolean,
): Promise<readonly (readonly number[])[]> => {
  const medians: number[][] = []
  for (const index of (cores[0]?.[which] ?? []).keys()) {
    const times = cores.map((): number[] => [])
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS_OF[which]; round += 1) {
      for (const [at, { client, change, ...core }] of cores.entries()) {
        const question = core[which][index]
        if (question === undefined) continue
        if (isChanged) await change()
        const ms = await timed(client, question.request)
        if (round >= 0) times[at]?.push(ms)
      }
    }
    medians.push(times.map(medianOf))
  }
  return medians
}

const ratioOf = (row: readonly number[]): number => (row.at(-1) ?? 0) / (row[0] ?? 1)

/** The greatest ratio of those that must not grow. */
const worstOf = (questions: readonly Question[] = [], medians: readonly (readonly number[])[]): number =>
  Math.max(...medians.filter((_row, index) => questions[index]?.isFlat === true).map(ratioOf))

const toTable = (
  title: string,
  cores: readonly Asked[],
  questions: readonly Question[] = [],
  medians: readonly (readonly number[])[],
) => ({
  title,
  columns: [
    'request',
    ...cores.map(({ skus }) => `${skus.toLocaleString('en')} SKUs, ms`),
    'largest over smallest',
  ],
  rows: medians.map((row, index) => [
    `${questions[index]?.name ?? ''}${questions[index]?.isFlat === false ? ' (grows)' : ''}`,
    ...row.map((ms) => ms.toFixed(2)),
    ratioOf(row).toFixed(2),
  ]),
})

/** Counts while prices come and go, which must not change: each transaction takes one and gives one. */
const countWhileWriting = async (core: Asked): Promise<{ readonly check: Check; readonly note: string }> => {
  const request = skusPage(core.target.facts.marketToken, 1)
  const expected = await countOf(core.client, request)
  const changes = changeSellability(core, WRITES_PER_SECOND)
  const endsAt = performance.now() + WRITING_SECONDS * 1000
  const times: number[] = []
  let wrong = 0
  while (performance.now() < endsAt) {
    const startedAt = performance.now()
    if ((await countOf(core.client, request)) !== expected) wrong += 1
    times.push(performance.now() - startedAt)
  }
  const perSecond = await changes.stop()
  const { rowCount } = await core.pool.query('SELECT FROM kept.differences()')
  return {
    check: {
      name: 'record_count is exact while transactions change what is sellable',
      found: `${perSecond.toFixed(0)} transactions a second; ${times.length} counts, ${wrong} of them wrong; ${rowCount ?? 0} blocks differ from a recount`,
      isMet: wrong === 0 && rowCount === 0,
    },
    note: `While they do, the first page of ${core.skus.toLocaleString('en')} SKUs with a market in scope takes ${medianOf(times).toFixed(2)} ms in the median.`,
  }
}

export const bench: Bench = {
  summary:
    'Pages of 25 SKUs, one request at a time, in shops with prices in 5 lists and stock in 6 locations: the largest shop against the smallest.',
  run: async ({ defer, say }) => {
    const surroundings = await openCoreSurroundings(say)
    defer(surroundings.close)
    const cores: Asked[] = []
    for (const size of sizesOf(SIZES)) {
      const loaded = await surroundings.start(String(size), size)
      await fillOrdering(loaded.databaseUrl, size, say)
      const asked = await prepare(loaded)
      defer(() => asked.client.close())
      cores.push(asked)
    }
    say('reading')
    const read = await measure(cores, 'questions', true)
    const again = await measure(cores, 'questions', false)
    const others = await measure(cores, 'others', true)
    const [smallest] = cores
    const largest = cores.at(-1)
    const writing = largest === undefined ? undefined : await countWhileWriting(largest)
    const worst = worstOf(smallest?.questions, read)
    const worstOther = worstOf(smallest?.others, others)
    return {
      tables: [
        toTable('Read: something changed before each request', cores, smallest?.questions, read),
        toTable('Again: nothing changed', cores, smallest?.questions, again),
        toTable('Other types and other orders, read', cores, smallest?.others, others),
      ],
      checks: [
        {
          name: `every request that is read takes at most ${RATIO_MAX} times as long in the largest shop`,
          found: worst.toFixed(2),
          isMet: worst <= RATIO_MAX,
        },
        {
          name: `and so do lists of other types, and first and last pages in the order of creation`,
          found: worstOther.toFixed(2),
          isMet: worstOther <= RATIO_MAX,
        },
        ...(writing === undefined ? [] : [writing.check]),
      ],
      notes: writing === undefined ? [] : [writing.note],
    }
  },
}
