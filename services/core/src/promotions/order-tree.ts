/** The order as rules are asked about it: nested JSON of what their paths need, with the lines as they will be. */
import type { Row } from '@merx/jsonapi/attributes'
import { numberOf } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { outsideDocument } from '../outside/outside-document.ts'
import { toTree } from '../rules-engine/document-tree.ts'
import type { Json } from '../rules-engine/facts.ts'
import { factsAt } from '../rules-engine/facts.ts'
import { pathsOfRules, wayOf } from '../rules-engine/paths.ts'
import type { RulesDocument } from '../rules-engine/rules.ts'
import { withKeys } from './planned-line.ts'

export interface OrderTree {
  /** `{ order: … }` */
  readonly root: Json
  /** Line of the tree → its position among the rows that were given. */
  readonly positions: ReadonlyMap<Json, number>
}

/** Numbers of lines that have none yet: above all that a table gives. */
const FIRST_NEW_NUMBER = 9_000_000_000_000

export const readOrderTree = async (
  order: Row,
  lines: readonly Row[],
  documents: readonly RulesDocument[],
  { run, registry, scope }: Pick<WorkflowStep, 'run' | 'registry' | 'scope'>,
): Promise<OrderTree | undefined> => {
  const paths = documents.flatMap((rules) => pathsOfRules(rules))
  const includes = [
    ...new Set(['line_items', ...paths.map((path) => wayOf(path, 'order', registry).include)]),
  ]
  const rows = lines.map((line, at) => ({
    ...withKeys(line, order, scope.environmentId),
    id: line['id'] ?? FIRST_NEW_NUMBER + at,
  }))
  const document = await outsideDocument(
    {
      definition: registry.require('orders'),
      number: numberOf(order),
      row: order,
      rows: { relationship: 'line_items', type: 'line_items', rows },
      environmentId: scope.environmentId,
      includes: includes.filter((path) => path !== ''),
      triggers: {},
    },
    { run, registry },
  )
  if (document === undefined || document.data === null) return undefined
  const root = { order: toTree(document, includes) }
  const nodes = factsAt(root, 'order.line_items').map(({ value }) => value as Json)
  return { root, positions: new Map(nodes.map((node, at) => [node, at])) }
}
