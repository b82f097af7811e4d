/** What came of the last run of each area. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Summary } from './summarize.ts'

export interface Result extends Summary {
  readonly date: string
}

/** Area → its result. */
export type Results = Readonly<Record<string, Result>>

export const RESULTS = path.join(import.meta.dirname, '..', 'results.json')

/** Percent of the mutants that must be killed. */
export const GOAL = 85

export const readResults = (): Results =>
  existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Results) : {}

export const scoreOf = ({ killed, mutants }: Pick<Summary, 'killed' | 'mutants'>): number =>
  mutants === 0 ? 0 : (100 * killed) / mutants
