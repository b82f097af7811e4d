/** Follows a shop while requests are sent to it: reads its books after each step, and throws what breaks a law with all that was sent. */
import { isDeepStrictEqual } from 'node:util'
import type { Pool } from 'pg'
import { openBooks } from './books.ts'
import type { Page, ShopRows, VersionRow } from './books.ts'
import { brokenEvents } from './event-laws.ts'
import { brokenLaws, unitsOf } from './laws.ts'

export interface ShopWatch {
  /** As it was read last. */
  readonly page: () => Page
  /** One line of what was sent, for the error of a law that breaks later. */
  readonly note: (line: string) => void
  /** Its stock was moved by hand, so nobody knows how much it holds. */
  readonly movedByHand: (order: number) => void
  /** Reads the books. `counted` is how many units more there are, undefined when nobody knows. */
  readonly check: (counted?: number) => Promise<void>
  /** Reads the books, which must be as they were. */
  readonly checkSame: () => Promise<void>
  /** The step itself broke what it must keep. */
  readonly fail: (text: string) => never
}

export const watchShop = async (pool: Pool, rows: ShopRows): Promise<ShopWatch> => {
  const read = openBooks(pool, rows)
  const byHand = new Set<number>()
  const lines: string[] = []
  let page = await read()
  let units = unitsOf(page.books)
  const fail = (text: string): never => {
    throw new Error([text, 'after', ...lines].join('\n'))
  }
  const check: ShopWatch['check'] = async (...given) => {
    const [counted = given.length === 0 ? 0 : undefined] = given
    page = await read()
    const now = unitsOf(page.books)
    units = counted === undefined ? now : units + counted
    const broken = [...brokenLaws(page.books, byHand), ...brokenEvents(page)]
    if (now !== units) broken.push(`there are ${now} units instead of ${units}`)
    if (broken.length > 0) fail(broken.join('\n'))
  }
  return {
    page: () => page,
    note: (line) => void lines.push(line),
    movedByHand: (order) => void byHand.add(order),
    check,
    checkSame: async () => {
      const { books } = page
      await check()
      const logged = [...page.versions.filter(isChange), ...page.events]
      if (logged.length > 0) fail(`something was written: ${JSON.stringify(logged)}`)
      for (const [table, found] of Object.entries(page.books))
        if (!isDeepStrictEqual(found, books[table as keyof typeof books]))
          fail(
            `${table} changed from ${JSON.stringify(books[table as keyof typeof books])} to ${JSON.stringify(found)}`,
          )
    },
    fail,
  }
}

/** A recalculation counts itself. */
const isChange = ({ changes }: VersionRow): boolean => {
  const names = Object.keys(changes)
  return names.length !== 1 || names[0] !== 'tax_calculations_count'
}
