/**
 * What a shipment costs with the method that it has or gets. A method with external prices asks its `external_prices_url`;
 * without a usable answer it costs its base price (docs/how-to/connect-your-own-services.md).
 */
import { isDeepStrictEqual } from 'node:util'
import type { Row } from '@merx/jsonapi/attributes'
import { amountCentsMaxOf } from '@merx/jsonapi/money'
import { compile } from '@merx/validation/compile'
import { rowOf } from '../engine/database/rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { askResource } from '../outside/ask-resource.ts'
import { outsideDocument, pathsOf } from '../outside/outside-document.ts'
import type { NamedMethod } from './read-methods.ts'
import { costOf, isFree } from './shipping-cost.ts'
import type { ShipmentFacts } from './shipping-cost.ts'

interface CostAnswer {
  readonly price_amount_cents: number
  readonly metadata?: Readonly<Record<string, unknown>>
}

const parse = compile<CostAnswer>({
  type: 'object',
  required: ['price_amount_cents'],
  properties: { price_amount_cents: { type: 'integer', minimum: 0 }, metadata: { type: 'object' } },
})

const INCLUDES = ['shipping_method', 'order']

export interface ChargedShipment {
  /** As it will be, with its id. */
  readonly row: Row
  readonly isNew: boolean
  readonly facts: ShipmentFacts
  /** SKUs and quantities. */
  readonly contents: unknown
}

export interface ShipmentCost {
  readonly costCents: number
  /** Columns of the shipment that the service gave. */
  readonly set: Row
}

/** `order` is as it will be. */
export const shipmentCostOf = async (
  method: NamedMethod,
  { row, isNew, facts, contents }: ChargedShipment,
  order: Row,
  step: WorkflowStep,
): Promise<ShipmentCost> => {
  const base = { costCents: costOf(method, facts), set: {} }
  if (method.scheme !== 'external' || isFree(method, facts)) return base
  const { registry, scope, run } = step
  const { environmentId } = scope
  const definition = registry.require('shipments')
  const includes = [...INCLUDES, ...pathsOf(method.row.external_includes)]
  const planned = { ...row, shipping_method_id: method.id }
  const rows = { relationship: 'order', type: 'orders', rows: [order] }
  const subject = { definition, number: numberOf(row), row: planned, isNew, rows, environmentId, includes }
  const answer = await askResource<CostAnswer>(
    {
      // No number of the shipment: a new one has another when the write runs again.
      key: `shipping ${JSON.stringify([method.id, numberOf(order), facts, contents])}`,
      environmentId,
      url: method.row.external_prices_url ?? '',
      signer: method.row,
      circuit: { table: 'shipping_methods', row: method.row },
      document: () => outsideDocument({ ...subject, triggers: {} }, { run, registry }),
      parse: (data) => parse(data),
    },
    step,
  )
  if (answer.kind !== 'given') return base
  const { price_amount_cents: costCents, metadata } = answer.data
  if (costCents > amountCentsMaxOf(rowOf('Order', order).currency_code)) return base
  const stored = row['metadata'] as Row | undefined
  const merged = { ...stored, ...metadata }
  return { costCents, set: isDeepStrictEqual(merged, stored ?? {}) ? {} : { metadata: merged } }
}
