/** What becomes of money that a gateway moved and no write has counted: it is counted, or given back. */
import { AppError, AppErrors } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { runIn } from '../../engine/database/run-statement.ts'
import { createRecords } from '../../engine/read/records.ts'
import { selectRow } from '../../engine/sql/select-rows.ts'
import type { OutsideDeps } from '../../engine/write/outside-calls.ts'
import { persist } from '../../engine/write/persist.ts'
import { update } from '../../engine/write/update.ts'
import { scopeOf } from '../../outside/outside-document.ts'
import { countForCircuit, gatewayOf, SYSTEM } from './ask.ts'
import { GIVEN_BACK, GIVEN_UP, isGivenUp, relockOrder, stateOf } from './attempt.ts'
import type { AttemptRow } from './attempt.ts'
import { verdictOf } from './gateway-answer.ts'
import { askBack } from './gateway-question.ts'
import { countGivenUp } from './payment-metrics.ts'

const read = async (environmentId: number, id: number, { run }: OutsideDeps) =>
  (await run<AttemptRow>(selectRow('transactions', environmentId, id, false)))[0]

/**
 * After the write that asked: nothing when it has counted the money. Of a write that was refused, an authorization is given
 * back, because it was for what the write would have done; what was captured, voided or refunded has happened and counts.
 */
export const settleUnused = async (environmentId: number, id: number, deps: OutsideDeps): Promise<void> => {
  const row = await read(environmentId, id, deps)
  if (row === undefined || stateOf(row) !== 'answered') return
  await (row.type === 'authorizations' ? giveBack(row, deps) : count(row, deps))
}

const SUCCEEDED: WriteRequest = {
  attributes: new Map([['succeeded', true]]),
  triggers: new Map(),
  toOne: new Map(),
  toMany: new Map(),
}

/** The transaction succeeds as if a merchant had said so; what cannot be counted is given back. */
export const count = async (row: AttemptRow, deps: OutsideDeps): Promise<void> => {
  const origin = row.reference_authorization_id ?? row.reference_capture_id
  const from = origin === null ? undefined : await read(row.environment_id, origin, deps)
  // What was captured at once counts after what it was captured of.
  if (from !== undefined && stateOf(from) === 'answered') await count(from, deps)
  const { registry, database, numbers, run, clock } = deps
  const scope = await scopeOf(row.environment_id, run)
  const records = createRecords(registry, row.environment_id)
  try {
    await update(registry.require(row.type), row, SUCCEEDED, {
      own: { database, numbers },
      reading: { run, registry, scope, records, mayRead: () => true },
      now: clock.now(),
      actor: SYSTEM,
    })
  } catch (error) {
    if (!isRefused(error)) throw error
    await giveBack(row, deps)
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof AppErrors
    ? error.errors.every(({ code }) => code === 'validation_error')
    : error instanceof AppError && error.code === 'validation_error'

/** Marks it first, so that a job goes on where this process dies. Only a gateway's own answer ends it. */
export const giveBack = async (row: AttemptRow, deps: OutsideDeps): Promise<void> => {
  const marked = await mark(row, deps)
  if (marked === undefined) return
  if (row.type !== 'authorizations' && row.type !== 'captures') {
    const message = 'The gateway moved money that nobody can give back by a call; see to it by hand'
    deps.log.error({ transaction: row.number }, message)
    countGivenUp('irreversible')
    return finish(marked, { attempt: null, message }, deps)
  }
  const gateway = await gatewayOf(row, deps.run)
  const verdict = verdictOf(await askBack(marked, gateway, deps), marked.amount_cents)
  await countForCircuit(gateway, verdict, deps.run)
  if (verdict.kind === 'failed' && !isGivenUp(marked)) {
    deps.log.warn({ transaction: row.number, reason: verdict.message }, 'money was not given back yet')
    return
  }
  const isGivenBack = verdict.kind !== 'failed' && verdict.kind !== 'declined'
  if (isGivenBack) {
    const message = 'Nobody could use it, and it was given back'
    return finish(marked, { attempt: null, message, error_code: GIVEN_BACK }, deps)
  }
  const reason = verdict.kind === 'declined' ? verdict.details.message : verdict.message
  deps.log.error({ transaction: row.number, reason }, 'a gateway did not take money back; see to it by hand')
  countGivenUp('not_given_back')
  const message = `Nobody could use it, and the gateway did not take it back: ${reason ?? ''}; _cancel asks again`
  await finish(marked, { attempt: null, message, error_code: GIVEN_UP.unwanted }, deps)
}

/** It is tried as often as a question: those that were asked before do not count. */
const MARK = `UPDATE transactions SET attempt = 'unwanted', attempted_at = $3,
    attempts_count = CASE attempt WHEN 'unwanted' THEN attempts_count + 1 ELSE 1 END
  WHERE environment_id = $1 AND id = $2 AND attempt IN ('answered', 'unwanted', 'late', 'pending')
  RETURNING *`

const mark = (row: AttemptRow, { database, clock }: OutsideDeps): Promise<AttemptRow | undefined> =>
  database.transaction(async (transaction) => {
    const run = runIn(transaction)
    const values = [row.environment_id, row.id, clock.now()]
    const [marked] = await run<AttemptRow>({ text: MARK, values })
    await relockOrder(row.environment_id, row.order_id, run)
    return marked
  })

/** As long as it is what it was when it was read. */
export const finish = async (row: AttemptRow, columns: Row, deps: OutsideDeps): Promise<void> => {
  const { environment_id: environmentId, id } = row
  await deps.database.transaction(async (transaction) => {
    const run = runIn(transaction)
    const [before] = await run<AttemptRow>(selectRow('transactions', environmentId, id, true))
    if (before?.attempt !== row.attempt) return
    const definition = deps.registry.require(row.type)
    const context = { run, registry: deps.registry, environmentId, actor: SYSTEM }
    await persist([{ definition, before, columns }], context)
    await relockOrder(environmentId, row.order_id, run)
  })
}
