import { readFile } from 'node:fs/promises'
import type { Row } from '@merx/jsonapi/attributes'
import { fulfillmentStates } from '../src/orders/fulfillment-states.ts'
import { orderStates } from '../src/orders/order-states.ts'
import { paymentStates } from '../src/payments/payment-states.ts'
import { transition } from '../src/states/transition.ts'
import { publishedTriggers, renderTriggers, triggersPath } from './triggers.ts'

const isPublished = (trigger: string, row: Row): boolean =>
  (publishedTriggers()['orders']?.[trigger] ?? []).some((condition) =>
    Object.entries(condition).every(([column, values]) => values.some((value) => value === row[column])),
  )

/** Whether the machine takes the trigger, apart from what only the lines and the payment of an order can say. */
const isTaken = async (trigger: string, row: Row): Promise<boolean> => {
  const lines = [{ item_type: 'skus' }]
  const order = { customer_id: 7, customer_email: null, ...row }
  const subject = { order, lines, now: new Date(0), unplaceable: [] }
  const moved = await transition(orderStates, order, { start: { trigger }, subject })
  return (
    moved.violations.length === 0 &&
    moved.set['status'] !== undefined &&
    moved.set['status'] !== row['status']
  )
}

describe('the published triggers', () => {
  it('are what the state machines say; after an edit run `npm run gen`', async () => {
    expect(await readFile(triggersPath, 'utf8')).toBe(renderTriggers())
  })

  it('of an order’s status are those that its machine takes, in every combination of its three states', async () => {
    const triggers = Object.values(orderStates.transitions).flatMap(({ trigger }) => trigger ?? [])
    const differences: string[] = []
    for (const status of orderStates.states)
      for (const payment_status of paymentStates.states)
        for (const fulfillment_status of fulfillmentStates.states)
          for (const trigger of new Set<string>(triggers)) {
            const row = { status, payment_status, fulfillment_status }
            if (isPublished(trigger, row) !== (await isTaken(trigger, row)))
              differences.push(`${trigger} ${Object.values(row).join(' ')}`)
          }
    expect(differences).toEqual([])
  })
})
