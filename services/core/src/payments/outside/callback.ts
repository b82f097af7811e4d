/** What a gateway that answered 202 says later: it finishes the attempt of its action, once. */
import { AppError, AppErrors } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../../engine/database/rows.ts'
import { runIn } from '../../engine/database/run-statement.ts'
import type { RunStatement } from '../../engine/database/run-statement.ts'
import { createRecords } from '../../engine/read/records.ts'
import { selectRow } from '../../engine/sql/select-rows.ts'
import type { OutsideDeps } from '../../engine/write/outside-calls.ts'
import { persist } from '../../engine/write/persist.ts'
import { update } from '../../engine/write/update.ts'
import { scopeOf } from '../../outside/outside-document.ts'
import { lockOrder } from '../lock-order.ts'
import { SYSTEM } from './ask.ts'
import { GIVEN_BACK, GIVEN_UP_BY_HAND, relockOrder, stateOf } from './attempt.ts'
import type { AttemptRow, AttemptState } from './attempt.ts'
import { readGatewayBody, verdictOfBody } from './gateway-answer.ts'
import type { GatewayBody, GatewayVerdict } from './gateway-answer.ts'
import type { GatewayRow } from './gateway-question.ts'
import { count, giveBack } from './settle.ts'

const FIND = `SELECT id, order_id FROM transactions
  WHERE environment_id = $1 AND payment_gateway_id = $2 AND action_id = $3`

/** `body` was signed by the gateway. Throws AppErrors when it says nothing that can be used. A repetition changes nothing. */
export const takeCallback = async (gateway: GatewayRow, body: string, deps: OutsideDeps): Promise<void> => {
  const read = readGatewayBody(body)
  if ('problem' in read) throw refuse(`The body ${read.problem}`)
  const { data } = read.body
  const actionId = data?.action_id
  if (actionId === undefined) throw refuse('The body has no data.action_id')
  const values = [gateway.environment_id, gateway.id, actionId]
  const [found] = await deps.run<Pick<AttemptRow, 'id' | 'order_id'>>({ text: FIND, values })
  // It may have come before the answer that promised it was stored, so the gateway sends it again.
  if (found === undefined)
    throw new AppError('record_not_found', { detail: 'No transaction of the gateway has this action_id.' })
  const after = await deps.database.transaction((transaction) =>
    store(gateway.environment_id, found, read.body, runIn(transaction), deps),
  )
  if (after === undefined) return
  await ('giveBack' in after ? giveBack(after.giveBack, deps) : countAndPlace(after.count, deps))
}

const refuse = (detail: string): AppError => new AppError('invalid_data_format', { detail })

type Next = { readonly count: AttemptRow } | { readonly giveBack: AttemptRow } | undefined

/** What it says is stored, except the amount and the token, which stay what they were (commerce.md 1.2). */
const store = async (
  environmentId: number,
  { id, order_id: number }: Pick<AttemptRow, 'id' | 'order_id'>,
  body: GatewayBody,
  run: RunStatement,
  { registry, clock }: OutsideDeps,
): Promise<Next> => {
  const order = await lockOrder('$2', number, { run, scope: { environmentId } })
  const [row] = await run<AttemptRow>(selectRow('transactions', environmentId, id, true))
  if (row === undefined) return undefined
  const token = row.token ?? body.data?.transaction_token ?? null
  const said: GatewayBody = { ...body, data: { ...body.data, transaction_token: token } }
  const verdict = verdictOfBody(said, 200, row.amount_cents)
  const isCancelled = order?.['status'] === 'cancelled'
  const step = nextOf(row, verdict, isCancelled)
  if (step === undefined) return undefined
  const columns = { ...step.columns, ...('details' in verdict ? verdict.details : {}), token }
  const claimed = step.columns['attempt'] === null ? {} : { attempted_at: clock.now() }
  const topics = step.isFailure ? [`${row.type}.failed`, 'transactions.refused'] : []
  const write = {
    definition: registry.require(row.type),
    before: row,
    columns: { ...columns, ...claimed },
    topics,
  }
  await persist([write], { run, registry, environmentId, actor: SYSTEM })
  await relockOrder(environmentId, number, run)
  const [stored] = await run<AttemptRow>(selectRow('transactions', environmentId, id, false))
  if (stored === undefined || step.then === undefined) return undefined
  return step.then === 'count' ? { count: stored } : { giveBack: stored }
}

interface Step {
  readonly columns: Row
  readonly isFailure: boolean
  readonly then?: 'count' | 'giveBack'
}

const to = (attempt: AttemptState | null, more: Row = {}): Row => ({
  attempt,
  ...(attempt === 'unwanted' ? { attempts_count: 0 } : {}),
  ...more,
})

const CLEAR: Row = { message: null, error_code: null, error_detail: null }

/** Undefined when nothing changes: the attempt ended before, and this is told again. */
const nextOf = (row: AttemptRow, verdict: GatewayVerdict, isCancelled: boolean): Step | undefined => {
  const state = stateOf(row)
  const isOpen = state === 'pending' || state === 'late'
  if (verdict.kind === 'failed' || verdict.kind === 'pending') return undefined
  if (verdict.kind === 'declined')
    return isOpen ? { columns: to(null), isFailure: state === 'pending' } : undefined
  if (!isOpen) {
    // It said before that it moved nothing, and now that it did.
    const isContradiction = state === undefined && !row.succeeded && row.error_code !== GIVEN_BACK
    return isContradiction ? { columns: to('unwanted'), isFailure: false, then: 'giveBack' } : undefined
  }
  if (verdict.kind === 'mismatched') {
    const error = { error_code: 'mismatched', error_detail: verdict.message, message: verdict.message }
    return { columns: to('unwanted', error), isFailure: state === 'pending', then: 'giveBack' }
  }
  return isReversible(row) && (isCancelled || (state === 'late' && !isStillWanted(row)))
    ? { columns: to('unwanted'), isFailure: false, then: 'giveBack' }
    : { columns: to('answered', CLEAR), isFailure: false, then: 'count' }
}

const isReversible = ({ type }: AttemptRow): boolean => type === 'authorizations' || type === 'captures'

/** A capture that the merchant asked for and did not give up counts whenever it happens (docs/adr/0093). */
const isStillWanted = ({ type, error_code: code }: AttemptRow): boolean =>
  type === 'captures' && code !== GIVEN_UP_BY_HAND

type OrderRow = Pick<RowOf<'Order'>, 'status' | 'payment_status'> & { readonly auto_place: boolean }

const ORDER = `SELECT orders.*, coalesce(methods.auto_place, false) AS auto_place FROM orders
  LEFT JOIN payment_methods AS methods
    ON methods.environment_id = $1 AND methods.id = orders.payment_method_id
  WHERE orders.environment_id = $1 AND orders.id = $2`

/** With `auto_place` of the payment method, a cart is placed when its authorization arrives. */
const countAndPlace = async (row: AttemptRow, deps: OutsideDeps): Promise<void> => {
  await count(row, deps)
  const { environment_id: environmentId, order_id: number } = row
  const { registry, database, numbers, run, clock, log } = deps
  const [order] = await run<OrderRow & Row>({ text: ORDER, values: [environmentId, number] })
  if (order?.auto_place !== true || order.status !== 'pending' || order.payment_status !== 'authorized')
    return
  const scope = await scopeOf(environmentId, run)
  const records = createRecords(registry, environmentId)
  const request = {
    attributes: new Map(),
    triggers: new Map([['_place', true]]),
    toOne: new Map(),
    toMany: new Map(),
  }
  try {
    await update(registry.require('orders'), order, request, {
      own: { database, numbers, outside: deps },
      reading: { run, registry, scope, records, mayRead: () => true },
      now: clock.now(),
      actor: SYSTEM,
    })
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof AppErrors)) throw error
    // The customer finds the cart authorized, and what it lacks when placing it.
    log.info({ err: error, order: number }, 'an order could not be placed when its authorization came')
  }
}
