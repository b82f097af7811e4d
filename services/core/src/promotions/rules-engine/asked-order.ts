/** An order in nested JSON that rules are asked about, and how much of it they may look at. */
import { AppError } from '@merx/errors/app-error'
import { factsAt } from './facts.ts'
import type { Fact, Json } from './facts.ts'
import { VALUES_MAX } from './rules.ts'

export interface AskedOrder {
  readonly root: Json
  readonly now: Date
  readonly lines: ReadonlySet<Json>
  /** As `factsAt`. Throws AppError `validation_error` when the rules have looked at more than VALUES_MAX values. */
  readonly find: (path: string, within?: readonly Json[]) => readonly Fact[]
}

/** `root` is `{ order: … }`. One for each document of rules, since its values are counted. */
export const askedOrder = (root: Json, now: Date): AskedOrder => {
  let values = 0
  const find = (path: string, within?: readonly Json[]): readonly Fact[] => {
    const facts = factsAt(root, path, within)
    values += facts.length + 1
    if (values > VALUES_MAX) throw tooManyValues()
    return facts
  }
  const lines = new Set(factsAt(root, 'order.line_items').flatMap(({ chain }) => chain.slice(-1)))
  return { root, now, lines, find }
}

const tooManyValues = (): AppError => {
  const message = `must not look at more than ${VALUES_MAX.toLocaleString('en')} values of one order: write fewer or narrower conditions`
  return new AppError('validation_error', {
    title: message,
    detail: `rules ${message}`,
    source: { pointer: '/rules' },
    meta: { error: 'invalid' },
  })
}
