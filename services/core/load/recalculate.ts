/** Recalculates an order as a write of it does, and plans its writes, without writing. */
import { areas } from '../src/areas.ts'
import { openDatabase } from '../src/engine/database/database.ts'
import { runPrepared } from '../src/engine/database/run-statement.ts'
import { createRegistry } from '../src/engine/registry.ts'
import type { WorkflowStep } from '../src/engine/write/write-workflow.ts'
import { readLines } from '../src/orders/order-lines.ts'
import { orderWrites, recalculateOrder } from '../src/orders/totals/recalculate-order.ts'
import { ENVIRONMENT, ORGANIZATION } from './fill-shop.ts'
import { loadIds } from './load-ids.ts'

export interface Recalculation {
  /** From the order's row to the writes that are planned. */
  run(): Promise<void>
  close(): Promise<void>
}

export const openRecalculation = async (databaseUrl: string, orderId: string): Promise<Recalculation> => {
  const database = openDatabase({ url: databaseUrl })
  const registry = createRegistry(areas, { ids: loadIds })
  const run = runPrepared(database)
  const scope = { environmentId: ENVIRONMENT, organizationId: ORGANIZATION.id, mode: 'test' } as const
  const number = registry.ids.decode('orders', orderId) ?? 0
  const step: WorkflowStep = { run, registry, scope, now: new Date(), actor: {}, isImport: false }
  const text = 'SELECT * FROM orders WHERE environment_id = $1 AND id = $2'
  return {
    run: async () => {
      const [order] = await run({ text, values: [ENVIRONMENT, number] })
      if (order === undefined) throw new Error(`there is no order ${orderId}`)
      const result = await recalculateOrder(order, await readLines(number, step), step, { isRefresh: true })
      orderWrites(order, result, registry)
    },
    close: () => database.close(),
  }
}
