/**
 * The text of a large page → blocks that the engine takes without reading text (docs/adr/0048-bulk-rows-are-binary.md). Only a page
 * where nothing is unusual: with a deletion, a broken entry or a value that does not fit, it becomes lines. Pure.
 */
import type { OrderDocument } from '@merx/order-feed/order-document'
import { columnTypes } from '../store/column-types.ts'
import { fedDefinitions } from '../store/table-definitions.ts'
import { NotNative } from './forms.ts'
import { createBlockEncoder } from './native-block.ts'
import { ORDER_COLUMNS, toColumnsOrders } from './order-row.ts'
import { factsOf, parsePage, toLines, type EntryFacts, type PreparedPage } from './prepare-page.ts'
import { RETURN_COLUMNS, toColumnsReturns } from './return-rows.ts'

export interface Blocks {
  readonly facts: readonly EntryFacts[]
  readonly orders: Uint8Array<ArrayBuffer>
  /** Undefined when no order has one. */
  readonly returns: Uint8Array<ArrayBuffer> | undefined
  readonly cursor: string
  readonly caughtUp: boolean
}

/** With the bytes of the page that it was made from, to make lines of it when the engine refuses a block. */
export interface BlockPage extends Blocks {
  readonly source: Uint8Array<ArrayBuffer>
}

export type AnyPage = PreparedPage | BlockPage

export const isBlocks = <P extends Blocks>(page: P | PreparedPage): page is P => 'facts' in page

export const isLines = <P extends Blocks>(page: P | PreparedPage): page is PreparedPage => !isBlocks(page)

const encodeOrders = createBlockEncoder(ORDER_COLUMNS, columnTypes(fedDefinitions.orders))
const encodeReturns = createBlockEncoder(RETURN_COLUMNS, columnTypes(fedDefinitions.returns))

/** Undefined when a value does not fit its column exactly; then the page goes as text, and the engine judges it. */
const encode = (documents: readonly OrderDocument[]): Pick<Blocks, 'orders' | 'returns'> | undefined => {
  try {
    const returned = documents.reduce((sum, { returns }) => sum + returns.length, 0)
    return {
      orders: encodeOrders(documents.length, toColumnsOrders(documents)),
      returns: returned === 0 ? undefined : encodeReturns(returned, toColumnsReturns(documents)),
    }
  } catch (error) {
    if (error instanceof NotNative) return undefined
    throw error
  }
}

/** Throws what parsePage throws. */
export const prepareBlocks = (text: string): PreparedPage | Blocks => {
  const page = parsePage(text)
  const documents = page.entries.flatMap((entry) => (entry.kind === 'upsert' ? [entry.document] : []))
  const isPlain =
    documents.length > 0 && documents.length === page.entries.length && page.poisoned.length === 0
  const blocks = isPlain ? encode(documents) : undefined
  if (blocks === undefined) return toLines(page)
  return { facts: documents.map(factsOf), ...blocks, cursor: page.cursor, caughtUp: page.caughtUp }
}
