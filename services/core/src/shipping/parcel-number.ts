import type { Rule } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'

/** `#<order>/S/<nnn>/P/<nnn>`: parcels of a shipment are counted; a parcel that went leaves no gap to fill. */
export const numberOfParcel: Rule = async ({ operation, after, find }) => {
  if (operation !== 'create') return {}
  const shipment = await find.byNumber('shipments', after['shipment_id'], ['number'])
  if (shipment === undefined) return {}
  for (let next = (await find.count('parcels', { shipment_id: after['shipment_id'] })) + 1; ; next += 1) {
    const number = `${rowOf('Shipment', shipment).number}/P/${String(next).padStart(3, '0')}`
    if ((await find.byColumn('parcels', 'number', number, ['id'])) === undefined) return { set: { number } }
  }
}
