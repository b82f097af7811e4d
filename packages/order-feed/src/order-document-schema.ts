/** The JSON Schema of what `GET /internal/order-feed` answers, from the list of fields (order-fields.ts). */
import { compile } from '@merx/validation/compile'
import type { Result } from '@merx/validation/compile'
import { objectSchema, type Schema } from './field.ts'
import type { OrderDocument, OrderFeedEntry, OrderFeedPage } from './order-document.ts'
import { orderFields } from './order-fields.ts'

/** The JSON Schema (draft 7) of one order document of version `ORDER_DOCUMENT_SCHEMA`. */
export const orderDocumentSchema = objectSchema(orderFields)

const { id, mode, version } = orderFields

/** Exactly these members, all of them present. */
const exactly = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
})

const upsert = exactly({ kind: { const: 'upsert' }, document: orderDocumentSchema })
const deletion = exactly({
  kind: { const: 'delete' },
  organization_id: id.schema,
  mode: mode.schema,
  id: id.schema,
  version: version.schema,
})

/** A page around its entries, whatever those are. */
export interface OrderFeedEnvelope {
  readonly entries: readonly { readonly kind: 'upsert' | 'delete' }[]
  readonly cursor: string
  readonly caught_up: boolean
}

const pageOf = (entry: Schema): Schema =>
  exactly({
    entries: { type: 'array', items: entry },
    cursor: { type: 'string', minLength: 1 },
    caught_up: { type: 'boolean' },
  })

/** The JSON Schema (draft 7) of one page of the feed. */
export const orderFeedPageSchema = pageOf({ anyOf: [upsert, deletion] })

/**
 * Checks a page of the feed, every member of every document.
 *
 * @example const page = parseOrderFeedPage(await response.json()); if (page.ok) store(page.value.entries)
 */
export const parseOrderFeedPage: (value: unknown) => Result<OrderFeedPage> =
  compile<OrderFeedPage>(orderFeedPageSchema)

/** Checks the page only, so that a reader can take its entries one by one and set invalid ones apart. */
export const parseOrderFeedEnvelope: (value: unknown) => Result<OrderFeedEnvelope> =
  compile<OrderFeedEnvelope>(
    pageOf({ type: 'object', required: ['kind'], properties: { kind: { enum: ['upsert', 'delete'] } } }),
  )

type EntryOf<K extends OrderFeedEntry['kind']> = Extract<OrderFeedEntry, { readonly kind: K }>
const parseUpsert = compile<EntryOf<'upsert'>>(upsert)
const parseDeletion = compile<EntryOf<'delete'>>(deletion)

/** Checks one entry of a page, every member of its document. */
export const parseOrderFeedEntry = (entry: OrderFeedEnvelope['entries'][number]): Result<OrderFeedEntry> =>
  entry.kind === 'upsert' ? parseUpsert(entry) : parseDeletion(entry)

/** Checks one order document. */
export const parseOrderDocument: (value: unknown) => Result<OrderDocument> =
  compile<OrderDocument>(orderDocumentSchema)
