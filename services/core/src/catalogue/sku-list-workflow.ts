/** Who writes which lists: integrations all, a customer their own, which are by hand (docs/adr/0089-lists-of-skus.md). */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { selectRow } from '../engine/sql/select-rows.ts'
import type { WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'

/** Throws AppError `unauthorized` for a sales channel that is not the customer of the list. */
const requireOwn = (list: Pick<RowOf<'SkuList'>, 'customer_id'>, { scope }: WorkflowStep): void => {
  const { salesChannel } = scope
  if (salesChannel === undefined) return
  if (salesChannel.customerId !== undefined && list.customer_id === salesChannel.customerId) return
  throw new AppError('unauthorized', {
    detail: 'You are not authorized to change this list: it is not yours.',
  })
}

export const skuListWorkflow: WriteWorkflow = {
  completesFrom: ['customer', 'manual'],

  complete: async (after, before, _request, step) => {
    const { salesChannel } = step.scope
    if (salesChannel === undefined) return {}
    if (before !== undefined) requireOwn(rowOf('SkuList', before), step)
    if (rowOf('SkuList', after).manual) return { set: { customer_id: salesChannel.customerId } }
    return { violations: [BY_HAND] }
  },

  refuseDelete: async (row, step) => requireOwn(rowOf('SkuList', row), step),
}

const BY_HAND: WriteViolation = {
  at: { attribute: 'manual' },
  error: 'invalid',
  message: 'must be true: a pattern is for the lists of the shop',
  value: false,
}

const listOf = async (item: Row, { run, scope }: WorkflowStep): Promise<RowOf<'SkuList'> | undefined> => {
  const { sku_list_id: number } = rowOf('SkuListItem', item)
  const [list] = await run(selectRow('sku_lists', scope.environmentId, number, false))
  return list === undefined ? undefined : rowOf('SkuList', list)
}

export const skuListItemWorkflow: WriteWorkflow = {
  completesFrom: ['sku_list'],

  complete: async (after, before, _request, step) => {
    const list = await listOf(after, step)
    if (list === undefined) return {}
    requireOwn(list, step)
    return before !== undefined || list.manual ? {} : { violations: [NO_ITEMS] }
  },

  refuseDelete: async (row, step) => {
    const list = await listOf(row, step)
    if (list !== undefined) requireOwn(list, step)
  },
}

const NO_ITEMS: WriteViolation = {
  at: { relationship: 'sku_list' },
  error: 'invalid',
  message: 'has a pattern in place of items; set its manual to true first',
}
