/**
 * Items whose records are written one at a time: those of types with a workflow around their writes, and those with
 * sets of other records such as tags. Nested line items of a new order are written with it, all or nothing.
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Reading } from '../../engine/read/read-includes.ts'
import { createRecords } from '../../engine/read/records.ts'
import type { Registry } from '../../engine/registry.ts'
import { attempt, ItemRefusal } from '../../engine/write/attempt.ts'
import { create } from '../../engine/write/create.ts'
import { messagesOfError } from '../../engine/write/error-messages.ts'
import type { Messages } from '../../engine/write/error-messages.ts'
import { numberOf } from '../../engine/write/persist.ts'
import type { WriteContext } from '../../engine/write/run-write.ts'
import { update } from '../../engine/write/update.ts'
import { toWriteError } from '../../engine/write/write-errors.ts'
import type { ImportItem } from './import-item.ts'
import { hasErrors } from './import-target.ts'
import type { ImportTarget, ItemOutcome } from './import-target.ts'
import type { Importable } from './importable.ts'
import { readItem } from './read-item.ts'
import { toRequest } from './to-request.ts'
import type { ItemWrite } from './to-request.ts'

interface SingleWrite extends ItemWrite {
  /** The locked row of an update; undefined when the item is a new record. */
  readonly before: Row | undefined
  /** Whether nothing tells the record from others, so that it is a new one. */
  readonly isKeyless: boolean
}

export const isWrittenSingly = (
  { type }: ResourceDefinition,
  writes: readonly SingleWrite[],
  { facts: { workflows, writeExtensions } }: Registry,
): boolean =>
  type in workflows ||
  writes.some(
    ({ request }) => request.toMany.size > 0 || writeExtensions.some(({ isSent }) => isSent(request)),
  )

/** One outcome per item, up to the one that is one error too many. */
export const applySingly = async (
  items: readonly ImportItem[],
  writes: readonly SingleWrite[],
  errorsMax: number,
  target: ImportTarget,
): Promise<readonly ItemOutcome[]> => {
  const outcomes: ItemOutcome[] = []
  let errors = 0
  for (const [at, write] of writes.entries()) {
    const item = items[at]
    if (item === undefined) break
    const outcome = await applyOne(item, write, target)
    outcomes.push(outcome)
    if (hasErrors(outcome) && (errors += 1) > errorsMax) break
  }
  return outcomes
}

const applyOne = async (item: ImportItem, write: SingleWrite, target: ImportTarget): Promise<ItemOutcome> => {
  const { errors, warnings } = write
  if (Object.keys(errors).length > 0) return { errors, warnings }
  const { definition, run } = target
  let found: Messages = {}
  const refusal = await attempt(run, definition, async () => {
    found = await writeOne(item, write, target)
  })
  if (refusal !== undefined) return { errors: messagesOfError(refusal), warnings }
  return { errors: {}, warnings: { ...warnings, ...found } }
}

const contextOf = ({ registry, scope, run, now, who }: ImportTarget): WriteContext => {
  const reading: Reading = {
    run,
    registry,
    scope,
    records: createRecords(registry, scope.environmentId),
    mayRead: () => true,
  }
  return { reading, now, actor: who, isImport: true }
}

/** Returns the warnings of a record that was stored. */
const writeOne = async (
  { nested }: ImportItem,
  { request, before, isKeyless }: SingleWrite,
  target: ImportTarget,
): Promise<Messages> => {
  const { definition, importable, scope, run } = target
  const context = contextOf(target)
  if (before !== undefined) {
    await update(definition, before, request, context)
    return {}
  }
  const row = await create(definition, request, context)
  for (const [relationship, children] of nested) {
    await writeChildren(relationship, children, numberOf(row), target, context)
  }
  if (!isKeyless) return {}
  const isRepeated = await importable.nonUnique?.isRepeated(row, scope.environmentId, run)
  return isRepeated === true ? { base: [repeated(importable)] } : {}
}

const repeated = ({ type, keys }: Importable): string =>
  `looks like one of the ${type} that are there already; to change that one instead, give its id or ${String(keys[0]?.at(-1))}`

/** Children name their owner by themselves: the relationship back is filled in. */
const writeChildren = async (
  name: string,
  children: readonly Readonly<Record<string, unknown>>[],
  owner: number,
  { definition, registry, isText }: ImportTarget,
  context: WriteContext,
): Promise<void> => {
  const relationship = definition.relationships[name]
  if (relationship?.kind !== 'toMany' || relationship.inverse === undefined) return
  const child = registry.require(relationship.target)
  for (const [at, sent] of children.entries()) {
    const item = readItem(sent, child, registry, { isText })
    item.toOne.set(relationship.inverse, {
      type: definition.type,
      id: registry.ids.encode(definition.type, owner),
    })
    const { request, errors } = toRequest(item, undefined, undefined, child)
    refuseErrors(errors, `${name}[${at}]`)
    await create(child, request, context).catch((error: unknown) => {
      refuseErrors(messagesOfError(toWriteError(error, child)), `${name}[${at}]`)
    })
  }
}

/** Throws ItemRefusal when there are any, under the child's place. */
const refuseErrors = (errors: Messages, place: string): void => {
  const entries = Object.entries(errors).map(([key, messages]) => [`${place}.${key}`, messages] as const)
  if (entries.length > 0) throw new ItemRefusal(Object.fromEntries(entries))
}
