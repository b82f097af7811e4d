/** `_fulfill`: the order counts as fulfilled, and what has not left as shipped. */
import type { Command } from '../../engine/write/commands.ts'
import { closeShipments, moveFulfillment } from '../fulfillment.ts'

export const fulfill: Command = {
  trigger: '_fulfill',
  run: async ({ number, row, step }) => {
    const moved = await moveFulfillment(row, { trigger: '_fulfill' }, step)
    if (!('fulfillment_status' in moved.set)) return { violations: moved.violations }
    const { set, topics } = moved
    return { set, topics, writes: await closeShipments(number, step) }
  },
}
