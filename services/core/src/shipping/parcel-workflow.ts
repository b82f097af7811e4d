/** What a carrier says of a parcel: a new `tracking_status` that carriers agree on is an event of its own. */
import { columnsOf } from '../engine/database/rows.ts'
import type { WriteWorkflow } from '../engine/write/write-workflow.ts'

/** Any other text is stored too, and is no event. */
export const TRACKING_STATUSES: readonly string[] = [
  'booked',
  'pre_transit',
  'shipped',
  'in_transit',
  'out_for_delivery',
  'available_for_pickup',
  'delivered',
  'return_to_sender',
  'failure',
  'cancelled',
]

export const parcelWorkflow: WriteWorkflow = {
  consequences: ({ before, after }) => {
    const { tracking_status: status } = columnsOf('Parcel', after ?? {})
    const { tracking_status: last } = columnsOf('Parcel', before ?? {})
    const isNew = typeof status === 'string' && status !== last && TRACKING_STATUSES.includes(status)
    return Promise.resolve(isNew ? { topics: [`parcels.${status}`] } : {})
  },
}
