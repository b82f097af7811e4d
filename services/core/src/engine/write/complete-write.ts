/** The last steps of a create or update: what the workflow of the type adds, then all rows and sets with their log. */
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { logChanges } from '../change-log/log-changes.ts'
import { generalTopics } from '../change-log/topics.ts'
import { changeLinks } from '../sql/change-links.ts'
import { runCommands } from './commands.ts'
import { persist } from './persist.ts'
import { latestOf, persistAndReact, persistRows } from './react.ts'
import type { ResolvedLinkage } from './resolve-linkage.ts'
import type { Attempt } from './run-write.ts'
import type { ValidatedWrite } from './validate.ts'
import { refuseViolations } from './violations.ts'
import type { EarlierViolations } from './violations.ts'
import { toTakenError } from './write-errors.ts'
import type { ExtensionWrite, WriteExtension, WriteWorkflow } from './write-workflow.ts'

export interface PendingWrite {
  readonly definition: ResourceDefinition
  readonly request: WriteRequest
  readonly before: Row | undefined
  readonly number: () => Promise<number>
  readonly earlier: EarlierViolations | undefined
  /** The version of a row that was read without a lock. */
  readonly rowVersion?: unknown
}

/** Returns the written row; undefined when its version is another one by now. Throws AppErrors with all violations. */
export const completeWrite = async (
  write: PendingWrite,
  { columns, links, violations, topics }: ValidatedWrite,
  attempt: Attempt,
): Promise<Row | undefined> => {
  const { definition, request, before, earlier } = write
  const { workflow, step, persisting, isAlone, key } = attempt
  const completion = isCompletable(workflow, violations, earlier)
    ? await workflow.complete?.({ ...before, ...columns }, before, request, step)
    : undefined
  refuseViolations(earlier, [...violations, ...(completion?.violations ?? [])])
  const completed = { ...columns, ...completion?.set }
  const number = await write.number()
  const after = { ...before, ...completed, id: number }
  const following = await workflow.consequences?.({ definition, number, before, after }, request, step)
  const commands = await runCommands(step.registry.facts.commands[definition.type] ?? [], {
    number,
    before,
    row: { ...after, ...following?.set },
    writes: [...(following?.earlier ?? []), ...(following?.writes ?? [])],
    request,
    step,
  })
  refuseViolations(undefined, commands.violations)
  const all = { ...completed, ...following?.set, ...commands.set }
  const emitted = [
    ...(before === undefined ? generalTopics(definition, 'create', step.registry) : []),
    ...topics,
    ...(following?.topics ?? []),
    ...commands.topics,
  ]
  // Without a statement that writes the row, nothing would use the key.
  if (key !== undefined && Object.keys(all).length === 0) return undefined
  const rowVersion = isAlone && typeof write.rowVersion === 'string' ? write.rowVersion : undefined
  const earlierRows = await persistRows(following?.earlier ?? [], step)
  const [row] = await persist([{ definition, number, before, columns: all, topics: emitted }], persisting, {
    rowVersion,
    key,
    expected: commands.expected,
  }).catch((error: unknown) => {
    throw toTakenError(error, definition, all)
  })
  if (row === undefined) return undefined
  const later = await writeSets({ definition, number, request, step }, links)
  if (later.length > 0)
    await logChanges([{ definition, number, before: row, after: row, topics: later }], persisting)
  const others = [...(following?.writes ?? []), ...commands.writes]
  if (step.isImport || isAlone) {
    await persist(others, persisting)
    return row
  }
  const stored = [...earlierRows, { definition, row, topics: emitted }]
  const written = await persistAndReact(others, step, stored)
  return latestOf(row, definition, written)
}

/** Completing works with some members; what follows from an invalid one would be no violation of its own. */
const isCompletable = (
  { completesFrom = [] }: WriteWorkflow,
  violations: readonly WriteViolation[],
  earlier: EarlierViolations | undefined,
): boolean => {
  const isInvalid = (name: string): boolean =>
    violations.some(({ at }) => at === undefined || memberOf(at) === name)
  return !completesFrom.some((name) => isInvalid(name) || earlier?.unreadable.has(name) === true)
}

const memberOf = (at: NonNullable<WriteViolation['at']>): string =>
  'attribute' in at ? at.attribute : at.relationship

/** Writes the linked sets and the extensions of the row; returns the topics of those that changed. */
const writeSets = async (
  change: ExtensionWrite,
  links: ResolvedLinkage['links'],
): Promise<readonly string[]> => {
  const { request, step } = change
  const sent = step.registry.facts.writeExtensions.filter(({ isSent }) => isSent(request))
  const before = await readAll(sent, change)
  await writeLinks(links, change)
  for (const extension of sent) await extension.write(change)
  const after = await readAll(sent, change)
  return sent
    .filter((_extension, at) => before[at] !== after[at])
    .flatMap(({ event }) => generalTopics(change.definition, event, step.registry))
}

const readAll = async (
  extensions: readonly WriteExtension[],
  change: ExtensionWrite,
): Promise<readonly (string | undefined)[]> => {
  const values: (string | undefined)[] = []
  for (const extension of extensions) values.push(await extension.read(change))
  return values
}

/** Changes the sets stored in tables between types. */
const writeLinks = async (
  links: ResolvedLinkage['links'],
  { number, step: { run, scope } }: ExtensionWrite,
): Promise<void> => {
  for (const { relationship, targets, change } of links) {
    const { through } = relationship
    if (through === undefined) continue
    const set = { through, environmentId: scope.environmentId, number }
    for (const statement of changeLinks(set, change, targets)) await run(statement)
  }
}
