/** The paths that rules name: whether orders or prices have them, and what must be included to follow them. */
import { companionsOf } from '@merx/jsonapi/attributes'
import { commonAttributes } from '@merx/jsonapi/define-resource'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Registry } from '../engine/registry.ts'
import { isDynamic } from './dynamic-values.ts'
import { valueOf } from './rules.ts'
import type { Action, Condition, ConditionSet, RulesDocument } from './rules.ts'
import { SUBJECTS } from './subjects.ts'
import type { RuleSubject } from './subjects.ts'

/** The way of a path through the definitions. */
interface Way {
  /** What `include` must have, without the subject; empty for the order or price itself. */
  readonly include: string
  /** Why the subject does not have the path. */
  readonly problem?: string
}

export const wayOf = (path: string, subject: RuleSubject, registry: Registry): Way => {
  const [first, ...names] = path.split('.')
  if (first !== subject) return { include: '', problem: `it must begin with "${subject}"` }
  let owners: readonly ResourceDefinition[] = [registry.require(SUBJECTS[subject])]
  const included: string[] = []
  for (const name of names) {
    const targets = owners.flatMap((owner) => targetsOf(owner, name))
    if (targets.length === 0) {
      const isAttribute = name === 'id' || owners.some((owner) => hasAttribute(owner, name))
      const include = included.join('.')
      return isAttribute ? { include } : { include, problem: `${typesOf(owners)} have no "${name}"` }
    }
    included.push(name)
    owners = targets.map((type) => registry.require(type))
  }
  return { include: included.join('.') }
}

const typesOf = (owners: readonly ResourceDefinition[]): string =>
  owners.map(({ type }) => type).join(' and ')

const targetsOf = (owner: ResourceDefinition, name: string): readonly string[] => {
  const relationship = Object.hasOwn(owner.relationships, name) ? owner.relationships[name] : undefined
  if (relationship?.include !== true) return []
  return relationship.kind === 'polymorphicToOne' ? relationship.targets : [relationship.target]
}

/** What is written but never shown, such as a password, is none. */
const hasAttribute = ({ attributes }: ResourceDefinition, name: string): boolean =>
  Object.entries({ ...attributes, ...commonAttributes }).some(
    ([own, attribute]) =>
      attribute.show !== 'never' && (own === name || Object.values(companionsOf(own)).includes(name)),
  )

/** Every path in a document, each once. */
export const pathsOfRules = ({ rules }: RulesDocument): readonly string[] => [
  ...new Set(rules.flatMap((rule) => [...pathsOfSet(rule), ...rule.actions.flatMap(pathsOfAction)])),
]

const pathsOfSet = ({ conditions }: ConditionSet): readonly string[] => conditions.flatMap(pathsOfCondition)

const pathsOfCondition = ({ field, value, aggregations = [], nested }: Condition): readonly string[] => [
  field,
  ...aggregations.map((aggregation) => aggregation.field),
  ...[value].flat().flatMap((one: unknown) => (isDynamic(one) ? pathsInExpression(one) : [])),
  ...(nested === undefined ? [] : pathsOfSet(nested)),
]

const pathsInExpression = (expression: string): readonly string[] =>
  expression.match(/(order|price)(\.[a-z0-9_]+)+/g) ?? []

const pathsOfAction = (action: Action): readonly string[] => {
  const { attribute, identifiers = {} } = valueOf(action)
  return [
    action.selector,
    ...(action.aggregation === undefined ? [] : [action.aggregation.field]),
    ...(attribute === undefined ? [] : [attribute]),
    ...Object.keys(identifiers),
  ]
}
