/** Values of a document → values of columns: instants, decimals, lists and the entities that several tables show. */
import type { OrderAddress, OrderNamed } from '@merx/order-feed/order-document'
import type { Row } from '../engine/engine.ts'

/** `2022-06-27T06:01:32.361Z` → `2022-06-27 06:01:32.361`. */
export const toInstant = (instant: string): string => instant.replace('T', ' ').replace('Z', '')

export const toInstantOrNull = (instant: string | null): string | null =>
  instant === null ? null : toInstant(instant)

/** 1234 with 2 digits → `12.34`; -5 with 3 digits → `-0.005`. */
export const toDecimal = (minorUnits: number, digits: number): string => {
  const sign = minorUnits < 0 ? '-' : ''
  const text = String(Math.abs(minorUnits)).padStart(digits + 1, '0')
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** `{ a: f }` over a list → `{ '<tree>.a': [f(item), …] }`: the columns of a Nested structure. */
export const toColumns = <T>(
  tree: string,
  items: readonly T[],
  columns: Readonly<Record<string, (item: T) => unknown>>,
): Row =>
  Object.fromEntries(Object.entries(columns).map(([name, read]) => [`${tree}.${name}`, items.map(read)]))

export const toAddress = (prefix: string, address: OrderAddress | null): Row => ({
  [`${prefix}_business`]: address?.business ?? null,
  [`${prefix}_city`]: address?.city ?? null,
  [`${prefix}_country_code`]: address?.country_code ?? null,
  [`${prefix}_state_code`]: address?.state_code ?? null,
  [`${prefix}_zip_code`]: address?.zip_code ?? null,
  [`${prefix}_geocoded`]: address?.geocoded ?? null,
  [`${prefix}_localized`]: address?.localized ?? null,
})

/** A record's own reference to something named. */
export const toNamed = (prefix: string, named: OrderNamed | null): Row => ({
  [`${prefix}_id`]: named?.id ?? null,
  [`${prefix}_name`]: named?.name ?? null,
  [`${prefix}_reference`]: named?.reference ?? null,
  [`${prefix}_reference_origin`]: named?.reference_origin ?? null,
})
