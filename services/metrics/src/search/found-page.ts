/** The type of one page of a search, as first-page.ts and next-page.ts return it. */
import type { Row } from '../engine/engine.ts'

export interface FoundPage {
  /** One more than the page holds when another page follows. */
  readonly rows: readonly Row[]
  /** All matching records, as of the first page. */
  readonly total: number
  /** Records on the pages before. */
  readonly shown: number
}
