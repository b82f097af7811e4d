/** An order or a price in nested JSON that rules are asked about, and how much of it they may look at. */
import { AppError } from '@merx/errors/app-error'
import { factsAt } from './facts.ts'
import type { Fact, Json } from './facts.ts'
import { VALUES_MAX } from './rules.ts'

export interface AskedTree {
  readonly root: Json
  readonly now: Date
  /** What actions can be for: the lines of the order, or the price. */
  readonly lines: ReadonlySet<Json>
  /** As `factsAt`. Throws AppError `validation_error` when the rules have looked at more than VALUES_MAX values. */
  readonly find: (path: string, within?: readonly Json[]) => readonly Fact[]
}

/** How many values rules have looked at. One for each document and order; the prices of a request share one. */
export interface Looked {
  values: number
}

/** `root` is `{ order: … }` or `{ price: … }`. */
export const askedTree = (root: Json, now: Date, looked: Looked = { values: 0 }): AskedTree => {
  const find = (path: string, within?: readonly Json[]): readonly Fact[] => {
    const facts = factsAt(root, path, within)
    looked.values += facts.length + 1
    if (looked.values > VALUES_MAX) throw tooManyValues()
    return facts
  }
  const path = 'price' in root ? 'price' : 'order.line_items'
  const lines = new Set(factsAt(root, path).flatMap(({ chain }) => chain.slice(-1)))
  return { root, now, lines, find }
}

const tooManyValues = (): AppError => {
  const message = `must not look at more than ${VALUES_MAX.toLocaleString('en')} values at once: write fewer or narrower conditions`
  return new AppError('validation_error', {
    title: message,
    detail: `rules ${message}`,
    source: { pointer: '/rules' },
    meta: { error: 'invalid' },
  })
}
