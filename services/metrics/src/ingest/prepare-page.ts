/**
 * The text of a page of the feed → lines that the engine takes. Each entry is validated by itself: an invalid one goes to the
 * quarantine with its reason, and the others are stored. Pure, so that it can run in a worker thread (page-preparer.ts).
 */
import {
  ORDER_DOCUMENT_SCHEMA,
  type OrderDocument,
  type OrderFeedEntry,
} from '@merx/order-feed/order-document'
import {
  parseOrderFeedEntry,
  parseOrderFeedEnvelope,
  type OrderFeedEnvelope,
} from '@merx/order-feed/order-document-schema'
import type { Violation } from '@merx/validation/compile'
import { toValuesOrder } from './order-row.ts'
import { toValuesReturns } from './return-rows.ts'

/** The order of an entry and its version. */
export interface EntryFacts {
  readonly organizationId: string
  readonly mode: string
  readonly id: string
  readonly version: number
  readonly returnIds: readonly string[]
}

/** The newest state of one order, ready to be written. */
export interface PreparedEntry extends EntryFacts {
  /** Undefined when the order is deleted. */
  readonly order: string | undefined
  readonly returns: readonly string[]
}

/** An invalid entry; what it lacks is empty. */
export interface PoisonedEntry {
  readonly organizationId: string
  readonly mode: string
  readonly id: string
  readonly version: number
  readonly reason: string
  readonly source: string
}

export interface PreparedPage {
  readonly entries: readonly PreparedEntry[]
  readonly poisoned: readonly PoisonedEntry[]
  readonly cursor: string
  readonly caughtUp: boolean
}

const REASONS_MAX = 5

const explain = (violations: readonly Violation[]): string =>
  violations
    .slice(0, REASONS_MAX)
    .map(({ pointer, message }) => `${pointer} ${message}`)
    .join('; ')

/** A row as the engine's JSONCompactEachRow has it. */
const toLine = (values: readonly unknown[]): string => JSON.stringify(values)

const factsOf = (document: OrderDocument): EntryFacts => ({
  organizationId: document.organization.id,
  mode: document.mode,
  id: document.id,
  version: document.version,
  returnIds: document.returns.map(({ id }) => id),
})

const ofDocument = (document: OrderDocument): PreparedEntry => ({
  ...factsOf(document),
  order: toLine(toValuesOrder(document)),
  returns: toValuesReturns(document).map(toLine),
})

export const toPreparedEntry = (entry: OrderFeedEntry): PreparedEntry => {
  if (entry.kind === 'upsert') return ofDocument(entry.document)
  const { organization_id: organizationId, mode, id, version } = entry
  return { organizationId, mode, id, version, order: undefined, returns: [], returnIds: [] }
}

type Members = Readonly<Record<string, unknown>>

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The version of an entry that has none. */
export const UNKNOWN_VERSION = 0

const versionOf = (value: unknown): number =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : UNKNOWN_VERSION

const toPoisoned = (entry: OrderFeedEnvelope['entries'][number], reason: string): PoisonedEntry => {
  const members: Members = { ...entry }
  const document = entry.kind === 'upsert' ? membersOf(members.document) : members
  return {
    organizationId: textOf(
      entry.kind === 'upsert' ? membersOf(document.organization).id : members.organization_id,
    ),
    mode: textOf(document.mode),
    id: textOf(document.id),
    version: versionOf(document.version),
    reason,
    source: JSON.stringify(entry),
  }
}

/** Documents of a newer core are valid: this release waits until it is replaced, and quarantines none of them. */
const requireKnownSchema = (entry: OrderFeedEnvelope['entries'][number]): void => {
  const { schema } = membersOf((entry as Members).document)
  if (typeof schema === 'number' && schema > ORDER_DOCUMENT_SCHEMA)
    throw new Error(
      `core sends order documents of version ${schema}, and this release knows up to ${ORDER_DOCUMENT_SCHEMA}; it waits for a newer release of metrics`,
    )
}

/** Throws an Error for an invalid page, and for documents of a newer version than this release knows. */
export const preparePage = (text: string): PreparedPage => {
  const envelope = parseOrderFeedEnvelope(JSON.parse(text))
  if (!envelope.ok) throw new Error(`the order feed sent an invalid page: ${explain(envelope.violations)}`)
  const entries: PreparedEntry[] = []
  const poisoned: PoisonedEntry[] = []
  for (const entry of envelope.value.entries) {
    requireKnownSchema(entry)
    const parsed = parseOrderFeedEntry(entry)
    if (parsed.ok) entries.push(toPreparedEntry(parsed.value))
    else poisoned.push(toPoisoned(entry, explain(parsed.violations)))
  }
  return { entries, poisoned, cursor: envelope.value.cursor, caughtUp: envelope.value.caught_up }
}
