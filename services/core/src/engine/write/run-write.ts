/**
 * Runs the steps of a write: for a row that stands alone without a transaction, in one statement on the row as it was
 * read; otherwise, and when that write was refused or the row changed meanwhile, in a transaction (docs/adr/0073).
 */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import { idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { sentNames } from '@merx/jsonapi/write-request'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import pLimit from 'p-limit'
import type { Database } from '../database/database.ts'
import type { NumberSource } from '../database/number-source.ts'
import { runPrepared } from '../database/run-statement.ts'
import type { RunStatement } from '../database/run-statement.ts'
import { toStoreError } from '../database/store-errors.ts'
import type { Reading } from '../read/read-includes.ts'
import type { KeyOfRow } from '../sql/idempotency-keys.ts'
import { columnsRead } from '../sql/selection.ts'
import { openingOf, whileClaimed } from './keyed-write.ts'
import type { KeyedWrite } from './keyed-write.ts'
import { lookupsOf } from './lookups.ts'
import type { Lookups } from './lookups.ts'
import { withOutsideCalls } from './outside-calls.ts'
import type { OutsideAnswers, OutsideDeps } from './outside-calls.ts'
import type { PersistContext } from './persist.ts'
import type { ValidationContext } from './validate.ts'
import type { EarlierViolations } from './violations.ts'
import { isRefusal, toWriteError } from './write-errors.ts'
import type { WorkflowStep, WriteWorkflow } from './write-workflow.ts'

export interface WriteContext {
  /** In the writer's scope. */
  readonly reading: Reading
  readonly now: Date
  /** Application and owner behind the write, for the change log. */
  readonly actor: Row
  /** The row comes from an import. */
  readonly isImport?: boolean
  /** With these nothing is written, whatever else is found. */
  readonly earlier?: EarlierViolations | undefined
  /** Runs in the transaction of the write, after everything else; the row then never stands alone. */
  readonly afterwards?: (row: Row, environmentId: number, run: RunStatement) => Promise<void>
  /** Throws when the row that is to be changed or deleted is not of the version that the writer knows. */
  readonly checkVersion?: ((version: string) => void) | undefined
  /** It was sent with an Idempotency-Key. */
  readonly keyed?: KeyedWrite | undefined
  /** Of the caller whose transaction it is: what the outside has answered so far. Without, nothing can be called. */
  readonly answers?: OutsideAnswers | undefined
  /** Absent when `reading` is in a transaction of the caller, who then gets what PostgreSQL refuses as it is. */
  readonly own?: {
    readonly database: Pick<Database, 'transaction'>
    readonly numbers: NumberSource
    /** Absent where nothing is called, as in scripts. */
    readonly outside?: OutsideDeps
  }
}

/** What the steps of a write work with. */
export interface Attempt {
  /** There is no transaction: nothing is locked, and the only statement that writes is a transaction of its own. */
  readonly isAlone: boolean
  readonly reading: Reading
  readonly step: WorkflowStep
  readonly workflow: WriteWorkflow
  readonly validation: ValidationContext
  readonly persisting: PersistContext
  /** Used by the statement of a row that stands alone. */
  readonly key?: KeyOfRow | undefined
}

/** `act` returns undefined when the row is not the one that was read any more. */
export const runWrite = async <T>(
  definition: ResourceDefinition,
  request: WriteRequest | undefined,
  context: WriteContext,
  act: (attempt: Attempt) => Promise<T | undefined>,
): Promise<T> => {
  const { own, reading, keyed } = context
  if (standsAlone(definition, request, context)) {
    const written = await unlessRefused(() => act(attemptOf(definition, context, reading.run, true)))
    if (written !== undefined) return written
  }
  const inTransaction = async (run: RunStatement, answers?: OutsideAnswers): Promise<T> => {
    const written = await act(attemptOf(definition, context, run, false, answers))
    if (written === undefined) throw new TypeError('a locked row was not written')
    return written
  }
  if (own === undefined) return inTransaction(reading.run, context.answers)
  const { database, outside } = own
  const opening = keyed === undefined ? undefined : openingOf(keyed)
  const write = (answers: OutsideAnswers) =>
    database.transaction((transaction) => inTransaction(runPrepared(transaction), answers), {
      hasGenericPlans: true,
      opening,
    })
  const writeInTurn = (answers: OutsideAnswers) =>
    hashesText(definition, request) ? inTurn(() => write(answers)) : write(answers)
  try {
    if (outside === undefined) return await writeInTurn(new Map())
    return await whileClaimed(keyed, outside, (beforeCall) =>
      withOutsideCalls(outside, writeInTurn, beforeCall),
    )
  } catch (error) {
    throw toStoreError(toWriteError(error, definition))
  }
}

/** No workflow, no command, no linked sets, no restrictions to check on the locked row, no hash that would be made twice. */
const standsAlone = (
  { type, attributes }: ResourceDefinition,
  request: WriteRequest | undefined,
  { reading: { registry, scope }, earlier, own, afterwards }: WriteContext,
): boolean => {
  const { workflows, writeExtensions } = registry.facts
  if (request === undefined || own === undefined || earlier !== undefined) return false
  if (afterwards !== undefined) return false
  if (scope.restrictions !== undefined || hasWorkflow(workflows[type], request)) return false
  if (registry.facts.commands[type]?.some(({ trigger }) => request.triggers.has(trigger)) === true)
    return false
  if (request.toMany.size > 0 || writeExtensions.some(({ isSent }) => isSent(request))) return false
  for (const name of sentNames(request)) if (attributes[name]?.show === 'never') return false
  return true
}

const hasWorkflow = (workflow: WriteWorkflow | undefined, request: WriteRequest): boolean => {
  if (workflow?.onlyIfSent === undefined) return workflow !== undefined
  const sent = sentNames(request)
  return workflow.onlyIfSent.some((name) => sent.has(name))
}

/** Texts that are never shown are hashed, in the transaction, which takes as long as many other writes. */
const hashesText = ({ attributes }: ResourceDefinition, request: WriteRequest | undefined): boolean =>
  request !== undefined &&
  [...sentNames(request)].some((name) => {
    const attribute = attributes[name]
    return attribute?.show === 'never' && attribute.kind === 'text' && attribute.sealed !== true
  })

const HASHING_WRITES_WAITING_MAX = 32
const hashingWrites = pLimit(1)

/** One at a time, so that a flood of new passwords holds one connection and leaves the others to everyone else. */
const inTurn = <T>(write: () => Promise<T>): Promise<T> => {
  if (hashingWrites.pendingCount < HASHING_WRITES_WAITING_MAX) return hashingWrites(write)
  throw new AppError('service_unavailable', {
    detail: 'Too many passwords are being set at the moment; try again.',
    headers: { 'Retry-After': '1' },
    level: 'info',
  })
}

const unlessRefused = async <T>(act: () => Promise<T | undefined>): Promise<T | undefined> => {
  try {
    return await act()
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

const attemptOf = (
  definition: ResourceDefinition,
  { reading: outer, now, actor, isImport = false, earlier, keyed }: WriteContext,
  run: RunStatement,
  isAlone: boolean,
  answers?: OutsideAnswers,
): Attempt => {
  const reading = { ...outer, run }
  const { registry, scope } = reading
  const ofType = registry.facts.workflows[definition.type] ?? {}
  const workflow = isAlone ? {} : ofType
  const lookups = lookupsOf(reading)
  return {
    isAlone,
    reading,
    workflow,
    step: { run, registry, scope, now, actor, isImport, answers },
    validation: {
      scope,
      now,
      isImport,
      earlier,
      isContinued: workflow.complete !== undefined,
      lookups: isAlone ? trustingKeys(lookups, reading) : lookups,
    },
    persisting: {
      run,
      registry,
      environmentId: scope.environmentId,
      actor,
      ...(isAlone ? { returning: columnsRead(definition, registry) } : {}),
    },
    key: isAlone ? keyed : undefined,
  }
}

/**
 * A writer who sees all of an environment may link to all of it, so the foreign key checks as much as a lookup would.
 * Types that share a table have no foreign key of their own.
 */
const trustingKeys = (lookups: Lookups, { registry, scope }: Reading): Lookups => ({
  ...lookups,
  linkable: async (identifier, relationship) => {
    const target = registry.require(identifier.type)
    const isKeyed =
      relationship.kind === 'toOne' && target.memberOf === undefined && target.abstract === undefined
    if (!isKeyed || scope.salesChannel !== undefined) return lookups.linkable(identifier, relationship)
    return identifier.number ?? registry.ids.decode(idTypeOf(target), identifier.id)
  },
})
