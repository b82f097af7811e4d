/**
 * Many writes of one type in the caller's transaction, each judged as a single one would be, stored with a few
 * statements. When the database refuses them together, they are stored one by one to find the one it refuses.
 */
import { AppError, AppErrors } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteFault } from '@merx/jsonapi/rules'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { givenFields, logChanges } from '../change-log/change-log.ts'
import type { LoggedChange } from '../change-log/change-log.ts'
import { createLogged, isLoggedByStatement } from '../change-log/create-logged.ts'
import type { RunStatement } from '../database/run-statement.ts'
import type { Reading } from '../read/read-includes.ts'
import { insertRows, reserveNumbers, updateRows } from '../sql/batch-statements.ts'
import { familyColumns } from './family-columns.ts'
import { judgeWrite } from './prepare-write.ts'
import type { PreparedWrite, Preparing } from './prepare-write.ts'
import { isRefusal, toWriteError } from './write-errors.ts'
import { writeLinks } from './write-resource.ts'

export interface BatchWrite {
  readonly request: WriteRequest
  /** The locked row of an update; undefined at a creation. */
  readonly before: Row | undefined
}

export interface JudgedWrite extends PreparedWrite {
  readonly before: Row | undefined
  readonly faults: readonly WriteFault[]
}

export interface BatchContext {
  readonly definition: ResourceDefinition
  readonly reading: Pick<Reading, 'registry' | 'scope'>
  /** In the transaction. */
  readonly run: RunStatement
  /** Who writes, for the change log. */
  readonly who: Row
}

/** Side by side, so that their lookups can be joined. */
export const judgeBatch = (
  writes: readonly BatchWrite[],
  preparing: Preparing,
  { definition }: BatchContext,
): Promise<readonly JudgedWrite[]> =>
  Promise.all(
    writes.map(async ({ request, before }) => ({
      before,
      ...(await judgeWrite(definition, request, before, preparing)),
    })),
  )

/** Why a write was not stored, or undefined; in the order of the writes, all of which must be without faults. */
export const storeBatch = async (
  writes: readonly JudgedWrite[],
  context: BatchContext,
): Promise<readonly (string | undefined)[]> => {
  if (writes.length === 0) return []
  const together = await attempt(writes, context)
  if (together === undefined) return writes.map(() => undefined)
  const refusals: (string | undefined)[] = []
  for (const write of writes) refusals.push(await attempt([write], context))
  return refusals
}

/** What is wrong with one item of many: attribute → messages. */
export class ItemRefusal extends Error {
  override readonly name = 'ItemRefusal'
  readonly messages: Readonly<Record<string, readonly string[]>>

  constructor(messages: Readonly<Record<string, readonly string[]>>) {
    super(JSON.stringify(messages))
    this.messages = messages
  }
}

const attempt = async (
  writes: readonly JudgedWrite[],
  context: BatchContext,
): Promise<string | undefined> => {
  const refusal = await attemptIn(context.run, context.definition, () => store(writes, context))
  return refusal === undefined ? undefined : textOf(refusal)
}

/** Gives why `act` was refused, undone, or undefined. Throws what has nothing to do with what it would store. */
export const attemptIn = async (
  run: RunStatement,
  definition: ResourceDefinition,
  act: () => Promise<void>,
): Promise<unknown> => {
  await run({ text: 'SAVEPOINT attempt', values: [] })
  try {
    await act()
    await run({ text: 'RELEASE SAVEPOINT attempt', values: [] })
    return undefined
  } catch (error) {
    if (!isRefusal(error) && !(error instanceof ItemRefusal)) throw error
    await run({ text: 'ROLLBACK TO SAVEPOINT attempt', values: [] })
    return toWriteError(error, definition)
  }
}

const textOf = (error: unknown): string => {
  if (error instanceof AppErrors) return error.errors.map(textOf).join('; ')
  if (error instanceof AppError) return error.detail ?? error.code
  throw error
}

const store = async (writes: readonly JudgedWrite[], context: BatchContext): Promise<void> => {
  const { definition, reading, run, who } = context
  const { registry, scope } = reading
  const { environmentId } = scope
  const logging = { run, registry, environmentId, who }
  const family = familyColumns(definition, reading)
  const numbers = await numbersFor(writes, context)
  const rows = writes.map(({ before, columns }, at) => {
    const number = Number(numbers[at])
    const values = { id: number, ...columns, ...(before === undefined ? family : {}) }
    return { number, before, columns, values }
  })
  const changes: LoggedChange[] = []
  for (const [, group] of Map.groupBy(
    rows,
    ({ before, values }) => `${before === undefined} ${Object.keys(values).join()}`,
  )) {
    const values = group.map((row) => row.values)
    const isNew = group[0]?.before === undefined
    if (isNew && isLoggedByStatement(definition)) {
      await createLogged(definition, values, logging)
      continue
    }
    if (!isNew && Object.keys(values[0] ?? {}).length === 1) continue
    const write = isNew ? insertRows : updateRows
    const returning = isNew ? givenFields(definition, values[0] ?? {}).map(({ column }) => column) : []
    const given = await run(write(definition.table, environmentId, values, ['id', ...returning]))
    const stored = new Map(given.map((row) => [row['id'], row]))
    for (const { number, before, columns } of group) {
      const row = stored.get(number)
      if (row !== undefined)
        changes.push({ definition, number, before, after: { ...before, ...columns, ...row } })
    }
  }
  for (const [at, { links }] of writes.entries()) {
    if (links.length > 0) await writeLinks(links, Number(numbers[at]), environmentId, run)
  }
  await logChanges(changes, logging)
}

/** Of rows that exist their own, of new ones the next. */
const numbersFor = async (
  writes: readonly JudgedWrite[],
  { definition, run }: BatchContext,
): Promise<readonly unknown[]> => {
  const created = writes.filter(({ before }) => before === undefined).length
  const reserved = created === 0 ? [] : await run(reserveNumbers(definition.table, created))
  let next = 0
  return writes.map(({ before }) => (before === undefined ? reserved[next++]?.['id'] : before['id']))
}
