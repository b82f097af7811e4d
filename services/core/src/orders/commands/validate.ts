/**
 * `_validate`: asks the market's `external_order_validation_url`. It advises: what it finds is 422 and becomes resource_errors
 * until the order is approved, and the order can be placed all the same (lifecycles.md 1.3).
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { compile } from '@merx/validation/compile'
import { rowOf } from '../../engine/database/rows.ts'
import type { RowOf } from '../../engine/database/rows.ts'
import { runIn } from '../../engine/database/run-statement.ts'
import { selectRow } from '../../engine/sql/select-rows.ts'
import type { Command } from '../../engine/write/commands.ts'
import type { OutsideDeps } from '../../engine/write/outside-calls.ts'
import { persist } from '../../engine/write/persist.ts'
import { askResource } from '../../outside/ask-resource.ts'
import type { ServiceError } from '../../outside/ask-resource.ts'
import { outsideDocument, pathsOf } from '../../outside/outside-document.ts'
import { withErrors, withoutErrors } from '../placing-errors.ts'

const TRIGGER = '_validate'

const INCLUDES = [
  'billing_address',
  'shipping_address',
  'line_items',
  'line_items.item',
  'market',
  'customer',
  'shipments',
  'shipments.shipping_method',
]

const parse = compile<Row>({ type: 'object' })

export const validate: Command = {
  trigger: TRIGGER,
  run: async ({ number, row, step }) => {
    const { run, registry, scope } = step
    const { environmentId } = scope
    const order = rowOf('Order', row)
    const [market] = await run<RowOf<'Market'>>(selectRow('markets', environmentId, order.market_id, false))
    const url = market?.external_order_validation_url ?? ''
    if (market === undefined || url === '') return { violations: [withoutAddress] }
    const answer = await askResource<Row>(
      {
        key: `validation ${number}`,
        environmentId,
        url,
        signer: market,
        circuit: { table: 'orders', row },
        document: () =>
          outsideDocument(
            {
              definition: registry.require('orders'),
              number,
              environmentId,
              includes: [...INCLUDES, ...pathsOf(market.external_includes)],
              triggers: { [TRIGGER]: true },
            },
            { run, registry },
          ),
        parse,
        // The write will be refused, so what was found is stored before.
        afterwards: async (given, deps) => {
          if (given.kind === 'refused') await store(number, environmentId, violationsOf(given.errors), deps)
        },
      },
      step,
    )
    if (answer.kind === 'refused') return { violations: violationsOf(answer.errors) }
    const set = { validations_count: order.validations_count + 1 }
    if (answer.kind === 'unavailable') return { set }
    const errors = await withoutErrors(number, step)
    return { set: { ...set, ...errors.set }, writes: errors.writes }
  },
}

const withoutAddress: WriteViolation = {
  at: { attribute: TRIGGER },
  error: 'not_supported',
  message: 'cannot be sent: the market of the order has no external_order_validation_url',
}

const violationsOf = (errors: readonly ServiceError[]): readonly WriteViolation[] =>
  errors.map(({ code, message }) => ({ at: { attribute: TRIGGER }, error: code, message }))

const store = (
  order: number,
  environmentId: number,
  violations: readonly WriteViolation[],
  { database, registry }: OutsideDeps,
): Promise<void> =>
  database.transaction(async (transaction) => {
    const run = runIn(transaction)
    const [before] = await run<RowOf<'Order'>>(selectRow('orders', environmentId, order, true))
    if (before === undefined) return
    const errors = await withErrors(order, violations, { run, registry, scope: { environmentId } })
    const columns = { ...errors.set, validations_count: before.validations_count + 1 }
    const write = { definition: registry.require('orders'), before, columns }
    const actor = { application: null, owner: null }
    await persist([write, ...errors.writes], { run, registry, environmentId, actor })
  })
