/** The order as rules are asked about it: nested JSON of what their paths need, with the lines as they will be. */
import type { Row } from '@merx/jsonapi/attributes'
import type { SingleDocument } from '@merx/jsonapi/render-document'
import { numberOf } from '../../engine/write/persist.ts'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'
import { outsideDocument } from '../../outside/outside-document.ts'
import { withKeys } from '../planned-line.ts'
import type { Json } from './facts.ts'
import { factsAt } from './facts.ts'
import { pathsOfRules, wayOf } from './paths.ts'
import type { RulesDocument } from './rules.ts'

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
  const includes = [...new Set(['line_items', ...paths.map((path) => wayOf(path, registry).include)])]
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

type Resource = NonNullable<SingleDocument['data']>

interface ResourceKey {
  readonly type: string
  readonly id: string
}

type Linkage = ResourceKey | readonly ResourceKey[] | null

const isKey = (linkage: ResourceKey | readonly ResourceKey[]): linkage is ResourceKey => 'id' in linkage

/** Relationship → what of it is included. */
interface Branches {
  [relationship: string]: Branches
}

const toTree = ({ data, included = [] }: SingleDocument, includes: readonly string[]): Json => {
  const byKey = new Map(included.map((resource) => [`${resource.type} ${resource.id}`, resource]))
  const branches: Branches = {}
  for (const path of includes) {
    let branch = branches
    for (const name of path.split('.').filter((part) => part !== '')) branch = branch[name] ??= {}
  }
  return data === null ? {} : toNode(data, branches, byKey)
}

const toNode = (
  { id, type, attributes, relationships = {} }: Resource,
  branches: Branches,
  byKey: ReadonlyMap<string, Resource>,
): Json => {
  const related = Object.entries(branches).map(([name, branch]): readonly [string, unknown] => {
    const linkage = (relationships[name]?.data ?? null) as Linkage
    const nodeOf = (key: ResourceKey): Json | null => {
      const found = byKey.get(`${key.type} ${key.id}`)
      return found === undefined ? null : toNode(found, branch, byKey)
    }
    if (linkage === null) return [name, null]
    return [name, isKey(linkage) ? nodeOf(linkage) : linkage.map(nodeOf).filter((node) => node !== null)]
  })
  return { ...attributes, id, type, ...Object.fromEntries<unknown>(related) }
}
