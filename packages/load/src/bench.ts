/** One benchmark: what it opens is closed for it, and its results are printed and stored in one form. */
import type { Comparison } from './compare.ts'
import type { Table } from './markdown-table.ts'

/** Something that must hold, besides the ratios of comparisons. */
export interface Check {
  readonly name: string
  /** What was found, in words with units. */
  readonly found: string
  readonly isMet: boolean
}

export interface BenchResult {
  readonly comparisons?: readonly Comparison[]
  readonly tables?: readonly ({ readonly title: string } & Table)[]
  readonly checks?: readonly Check[]
  /** Sentences that explain the figures. */
  readonly notes?: readonly string[]
}

export interface BenchContext {
  /** Runs when the benchmark is over, the last first, also after a failure. */
  readonly defer: (close: () => Promise<unknown>) => void
  /** Progress, for whoever waits. */
  readonly say: (message: string) => void
}

/** What a file `bench/<area>/<name>.bench.ts` exports as `bench`. */
export interface Bench {
  /** What is measured against what, in one sentence. */
  readonly summary: string
  readonly run: (context: BenchContext) => Promise<BenchResult>
}

/** Runs and closes what was opened, also after a failure. @throws what `run` throws */
export const withContext = async <T>(
  say: (message: string) => void,
  run: (context: BenchContext) => Promise<T>,
): Promise<T> => {
  const closers: (() => Promise<unknown>)[] = []
  try {
    return await run({ defer: (close) => closers.push(close), say })
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

/** Whether every threshold and check holds. */
export const isResultGood = ({ comparisons = [], checks = [] }: BenchResult): boolean =>
  comparisons.every(({ alternatives }) => alternatives.every(({ isMet }) => isMet)) &&
  checks.every(({ isMet }) => isMet)
