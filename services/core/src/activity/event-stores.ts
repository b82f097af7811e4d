import { computed, object, text } from '@merx/jsonapi/attributes'
import type { Row } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'

/** `{ status: ['draft', 'pending'] }` → `{ status: { from: 'draft', to: 'pending' } }` */
const payloadOf = ({ changes }: Row): unknown =>
  Object.fromEntries(
    Object.entries(changes ?? {}).map(([name, change]: [string, unknown]) => {
      const [from = null, to = null] = Array.isArray(change) ? [...(change as readonly unknown[])] : []
      return [name, { from, to }]
    }),
  )

/** The same write as a version, for audits. There is no list: every record has its own, see api/history.ts. */
export const eventStores = defineResource('event_stores', {
  summary: 'One write of one record, for audits.',
  model: 'version',
  table: 'versions',
  operations: ['retrieve'],
  scope: 'environment',
  attributes: {
    resource_type: text(),
    resource_id: text(),
    event: text(),
    payload: computed(payloadOf, { columns: ['changes'] }),
    who: object(),
  },
})
