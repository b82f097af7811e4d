/**
 * A slice of an import's items → stored records, in the transaction of the step. Items that mean the same record are
 * applied one after the other; all others are validated and persisted together.
 */
import { generalTopics } from '../../engine/change-log/topics.ts'
import { batchedLookups } from '../../engine/write/batched-lookups.ts'
import { familyColumns } from '../../engine/write/create.ts'
import { messagesOf } from '../../engine/write/error-messages.ts'
import type { Messages } from '../../engine/write/error-messages.ts'
import type { Lookups } from '../../engine/write/lookups.ts'
import { validate } from '../../engine/write/validate.ts'
import { applySingly, isWrittenSingly } from './apply-singly.ts'
import type { Item } from './import-item.ts'
import type { ImportItem } from './import-item.ts'
import { hasErrors } from './import-target.ts'
import type { ImportTarget, ItemOutcome } from './import-target.ts'
import { keyOf, lockExisting, lockOwners, matchOf } from './match-existing.ts'
import type { RecordKey } from './match-existing.ts'
import { persistItems } from './persist-items.ts'
import { readItem } from './read-item.ts'
import { toRequest } from './to-request.ts'

interface Keyed {
  readonly item: ImportItem
  readonly key: RecordKey | 'unknown' | undefined
}

/** One outcome per item, in order, up to the item at which there are more than `errorsMax` with errors. */
export const applyItems = async (
  items: readonly Item[],
  errorsMax: number,
  target: ImportTarget,
): Promise<readonly ItemOutcome[]> => {
  const { definition, registry, scope, run, isText } = target
  const options = { isText, children: target.importable.children ?? [] }
  const read = items.map((item) => withCode(readItem(item, definition, registry, options), target))
  let lookups = batchedLookups(registry, scope.environmentId, run)
  const naming = read.filter(({ named }) => named.length > 0)
  await Promise.all(naming.map((item) => resolveNamed(item, target, lookups)))
  const keyed = read.map((item) => ({
    item: withParent(item, target),
    key: keyOf(item, definition, target.importable, registry),
  }))
  await lockOwnersOf(keyed, target)
  const outcomes: ItemOutcome[] = []
  let errorsLeft = errorsMax
  for (const part of distinctRuns(keyed)) {
    const done = await applyRun(part, errorsLeft, target, lookups)
    // What the next part asks may be what this one wrote.
    lookups = batchedLookups(registry, scope.environmentId, run)
    outcomes.push(...done)
    errorsLeft -= done.filter(hasErrors).length
    if (errorsLeft < 0) break
  }
  return outcomes
}

const lockOwnersOf = async (
  keyed: readonly Keyed[],
  { definition, importable: { nonUnique }, registry, scope, run }: ImportTarget,
): Promise<void> => {
  if (nonUnique === undefined) return
  const items = keyed.map(({ item }) => item)
  await lockOwners(items, definition, nonUnique.owner, registry, scope.environmentId, run)
}

/** Consecutive items of which no two mean the same record. */
const distinctRuns = (keyed: readonly Keyed[]): readonly (readonly Keyed[])[] => {
  const runs: Keyed[][] = []
  let seen = new Set<string>()
  for (const each of keyed) {
    const text = typeof each.key === 'object' ? each.key.text : undefined
    const isRepeated = text !== undefined && seen.has(text)
    if (isRepeated || runs.length === 0) {
      runs.push([])
      seen = new Set()
    }
    if (text !== undefined) seen.add(text)
    runs.at(-1)?.push(each)
  }
  return runs
}

const applyRun = async (
  keyed: readonly Keyed[],
  errorsMax: number,
  target: ImportTarget,
  lookups: Lookups,
): Promise<readonly ItemOutcome[]> => {
  const { definition, importable, registry, scope, run, now } = target
  const keys = keyed.flatMap(({ key }) => (typeof key === 'object' ? [key] : []))
  const existing = await lockExisting(keys, definition, scope.environmentId, run)
  const writes = keyed.map(({ item, key }) => {
    const match = matchOf(item, key, existing, importable, registry)
    const { before } = match
    const write = toRequest(importable.complete?.(item, before, now) ?? item, key, before, definition)
    return {
      before,
      isKeyless: key === undefined,
      request: write.request,
      errors: { ...write.errors, ...match.errors },
      warnings: { ...write.warnings, ...match.warnings },
    }
  })
  if (isWrittenSingly(definition, writes, registry))
    return applySingly(
      keyed.map(({ item }) => item),
      writes,
      errorsMax,
      target,
    )
  const validation = { scope, now, lookups, isImport: true }
  const validated = await Promise.all(
    writes.map(({ request, before }) => validate(definition, request, before, validation)),
  )
  const outcomes = validated.map(({ violations }, at): { errors: Messages; warnings: Messages } => ({
    errors: { ...writes[at]?.errors, ...messagesOf(violations) },
    warnings: writes[at]?.warnings ?? {},
  }))
  const kept = upToLimit(outcomes, errorsMax)
  const family = familyColumns(definition, registry)
  const good = kept.flatMap((outcome, at) => {
    if (hasErrors(outcome)) return []
    const before = writes[at]?.before
    const columns = { ...validated[at]?.columns, ...(before === undefined ? family : {}) }
    const created = before === undefined ? generalTopics(definition, 'create', registry) : []
    const topics = [...created, ...(validated[at]?.topics ?? [])]
    return [{ at, write: { definition, before, columns, topics } }]
  })
  const refusals = await persistItems(
    good.map(({ write }) => write),
    target,
  )
  for (const [index, refusal] of refusals.entries()) {
    const at = good[index]?.at
    if (refusal !== undefined && at !== undefined) {
      kept[at] = { errors: { base: [refusal] }, warnings: kept[at]?.warnings ?? {} }
    }
  }
  return kept
}

/** The item that is one error too many is the last. */
const upToLimit = (outcomes: readonly ItemOutcome[], errorsMax: number): ItemOutcome[] => {
  let errors = 0
  const end = outcomes.findIndex((outcome) => hasErrors(outcome) && (errors += 1) > errorsMax)
  return outcomes.slice(0, end < 0 ? undefined : end + 1)
}

const withParent = (item: ImportItem, { definition, importable, parentId }: ImportTarget): ImportItem => {
  const { parent } = importable
  if (parentId === null || parent === undefined || item.toOne.has(parent)) return item
  const relationship = definition.relationships[parent]
  if (relationship?.kind === 'toOne') item.toOne.set(parent, { type: relationship.target, id: parentId })
  return item
}

/** An unknown code is reported by the rule of the type, so it is no error here. */
const withCode = (
  item: ImportItem,
  { definition, importable: { code }, registry }: ImportTarget,
): ImportItem => {
  const value = code === undefined ? undefined : item.attributes.get(code.attribute)
  const relationship = definition.relationships[code?.relationship ?? '']
  if (code === undefined || typeof value !== 'string' || relationship?.kind !== 'toOne') return item
  if (item.toOne.has(code.relationship)) return item
  const target = registry.require(relationship.target)
  const named = {
    relationship: code.relationship,
    target,
    attribute: 'code',
    values: [value],
    mayBeMissing: true,
  }
  return { ...item, named: [...item.named, named] }
}

/** `price_list.code` → the list with this code. */
const resolveNamed = async (
  item: ImportItem,
  { definition }: ImportTarget,
  lookups: Lookups,
): Promise<void> => {
  for (const { relationship, target, attribute, values, mayBeMissing, isIncluded } of item.named) {
    const column = target.attributes[attribute]?.column ?? attribute
    const found = await Promise.all(values.map((value) => lookups.having(target, column, value)))
    const linked = found.flatMap(([row], at) =>
      typeof row?.['id'] === 'number' ? [{ type: target.type, id: values[at] ?? '', number: row['id'] }] : [],
    )
    const [first] = linked
    if (linked.length < values.length || first === undefined) {
      if (isIncluded === true)
        Object.assign(item.warnings, { [relationship]: ["doesn't exist, and was left out"] })
      else if (mayBeMissing !== true)
        Object.assign(item.errors, { [`${relationship}.${attribute}`]: ["doesn't exist"] })
    } else if (definition.relationships[relationship]?.kind === 'toMany')
      item.toMany.set(relationship, linked)
    else item.toOne.set(relationship, first)
  }
}
