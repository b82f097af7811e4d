/**
 * Who writes which lists: integrations all, a customer their own, which are by hand (docs/adr/0089-lists-of-skus.md). What bundles
 * are made of stays as it is (docs/adr/0120).
 */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
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

/** What decides which SKUs a list has, and whose it is. */
const DECIDING = [
  { at: { attribute: 'manual' }, column: 'manual' },
  { at: { attribute: 'sku_code_regex' }, column: 'sku_code_regex' },
  { at: { relationship: 'customer' }, column: 'customer_id' },
] as const

/** The list is locked, and whoever makes a bundle locks it first. */
const hasBundles = async (list: number, { run, scope }: WorkflowStep): Promise<boolean> => {
  const text = 'SELECT 1 FROM bundles WHERE environment_id = $1 AND sku_list_id = $2 LIMIT 1'
  return (await run({ text, values: [scope.environmentId, list] })).length > 0
}

const bundled = (at: NonNullable<WriteViolation['at']>): WriteViolation => ({
  at,
  error: 'has_bundles',
  message: 'cannot be changed while there are bundles of the list; delete them first',
})

const violationsOfBundles = async (
  after: Row,
  before: Row | undefined,
  step: WorkflowStep,
): Promise<readonly WriteViolation[]> => {
  if (before === undefined) return []
  const changed = DECIDING.filter(({ column }) => (before[column] ?? null) !== (after[column] ?? null))
  if (changed.length === 0 || !(await hasBundles(rowOf('SkuList', before).id, step))) return []
  return changed.map(({ at }) => bundled(at))
}

export const skuListWorkflow: WriteWorkflow = {
  completesFrom: ['customer', 'manual', 'sku_code_regex'],

  complete: async (after, before, _request, step) => {
    const { salesChannel } = step.scope
    if (salesChannel === undefined) return { violations: await violationsOfBundles(after, before, step) }
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

/** Several may write items of a list at once, but nobody while a bundle is made of it. */
const lockList = async (
  expression: string,
  number: number,
  { run, scope }: WorkflowStep,
): Promise<Row | undefined> => {
  const text = `SELECT * FROM sku_lists WHERE environment_id = $1 AND id = ${expression} FOR SHARE`
  return (await run({ text, values: [scope.environmentId, number] }))[0]
}

export const skuListItemWorkflow: WriteWorkflow = {
  lockForCreate: async (request, step) => {
    const identifier = request.toOne.get('sku_list') ?? undefined
    const number = identifier === undefined ? undefined : step.registry.ids.decode('sku_lists', identifier.id)
    return number === undefined ? undefined : lockList('$2', number, step)
  },

  lockForChange: (number, step) =>
    lockList('(SELECT sku_list_id FROM sku_list_items WHERE environment_id = $1 AND id = $2)', number, step),

  completesFrom: ['sku_list'],

  complete: async (after, before, _request, step) => {
    if (step.locked === undefined) return {}
    const list = rowOf('SkuList', step.locked)
    requireOwn(list, step)
    if (before === undefined && !list.manual) return { violations: [NO_ITEMS] }
    const changed =
      before === undefined
        ? [{ relationship: 'sku_list' }]
        : CONTENT.filter(({ column }) => before[column] !== after[column]).map(({ attribute }) => ({
            attribute,
          }))
    if (changed.length === 0 || !(await hasBundles(list.id, step))) return {}
    return { violations: changed.map(bundled) }
  },

  refuseDelete: async (_row, step) => {
    if (step.locked === undefined) return
    const list = rowOf('SkuList', step.locked)
    requireOwn(list, step)
    if (await hasBundles(list.id, step))
      throw new AppError('locked', { detail: 'Cannot be deleted while there are bundles of its list' })
  },
}

/** What a bundle has of an item; its position is for promotions. */
const CONTENT = [
  { attribute: 'quantity', column: 'quantity' },
  { attribute: 'sku_code', column: 'sku_id' },
] as const

const NO_ITEMS: WriteViolation = {
  at: { relationship: 'sku_list' },
  error: 'invalid',
  message: 'has a pattern in place of items; set its manual to true first',
}
