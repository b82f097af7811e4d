import type { Row } from '@merx/jsonapi/attributes'
import { PLACED } from '../../orders/order-states.ts'
import type { ImportItem } from './import-item.ts'

/**
 * An order that was placed knows when: without a time it would be in no figure of metrics by date. One that is imported
 * as placed and says no time was placed when it was imported, and the log warns of it. One that has a time keeps it.
 */
export const withPlacedAt = (item: ImportItem, before: Row | undefined, now: Date): ImportItem => {
  const { attributes, warnings } = item
  const wasPlaced = PLACED.includes(before?.['status'])
  const isPlaced = attributes.has('status') ? PLACED.includes(attributes.get('status')) : wasPlaced
  if (!isPlaced || (attributes.get('placed_at') ?? null) !== null) return item
  if ((before?.['placed_at'] ?? null) !== null) {
    if (!attributes.has('placed_at')) return item
    const kept = new Map([...attributes].filter(([name]) => name !== 'placed_at'))
    const message = 'cannot be emptied on an order that was placed and was left out'
    return { ...item, attributes: kept, warnings: { ...warnings, placed_at: [message] } }
  }
  if (wasPlaced) return item
  const message = 'was not given, so it is the time of the import'
  return {
    ...item,
    attributes: new Map([...attributes, ['placed_at', now.toISOString()]]),
    warnings: { ...warnings, placed_at: [message] },
  }
}
