/**
 * Writes services/console/page/src/records/forms.json from the definitions: what can be written of a record of each type.
 * `node services/core/gen/console-forms.ts`
 */
import { writeFile } from 'node:fs/promises'
import type { Attribute, WritePolicy } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Relationship } from '@merx/jsonapi/relationships'
import { resources, stateMachines } from '../src/areas.ts'

/** Where the list is kept. */
export const consoleFormsPath = new URL('../../console/page/src/records/forms.json', import.meta.url)

const isSent = (write: WritePolicy): boolean => write !== 'never'

/** Lists of values that several attributes share, such as the countries, are written once. */
const createValueLists = () => {
  const lists: (readonly string[])[] = []
  return {
    lists,
    indexOf: (values: readonly string[]): number => {
      const key = JSON.stringify(values)
      const at = lists.findIndex((list) => JSON.stringify(list) === key)
      return at >= 0 ? at : lists.push(values) - 1
    },
  }
}

type ValueLists = ReturnType<typeof createValueLists>

const fieldOf = (attribute: Attribute, lists: ValueLists) => {
  const { kind, write, required, min, max, values, secret, show, default: byDefault } = attribute
  return {
    kind,
    ...(write === 'always' ? {} : { write }),
    ...(required ? { required } : {}),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(values === undefined ? {} : { values: lists.indexOf(values) }),
    ...(secret || show === 'never' ? { isSecret: true } : {}),
    ...(byDefault === undefined || byDefault === null ? {} : { default: byDefault }),
  }
}

const targetsOf = (relationship: Relationship): readonly string[] =>
  relationship.kind === 'polymorphicToOne' ? relationship.targets : [relationship.target]

const relationshipOf = (relationship: Relationship) => ({
  targets: targetsOf(relationship),
  ...(relationship.write === 'always' ? {} : { write: relationship.write }),
  ...(relationship.required ? { required: true } : {}),
  ...(relationship.kind === 'toMany' ? { isMany: true } : {}),
  ...(relationship.include ? { isIncludable: true } : {}),
})

/** Those of the state machines have conditions of their own: see triggers.ts. */
const isOfMachine = (type: string, name: string): boolean =>
  Object.entries(stateMachines).some(
    ([of, machines]) =>
      of === type &&
      machines.some(({ transitions }) => Object.values(transitions).some(({ trigger }) => trigger === name)),
  )

const entries = <Value, Kept>(
  record: Readonly<Record<string, Value>>,
  keep: (value: Value, name: string) => Kept | undefined,
): Readonly<Record<string, Kept>> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      const kept = keep(value, name)
      return kept === undefined ? [] : [[name, kept]]
    }),
  )

const WRITES = ['create', 'update', 'delete'] as const

const formOf = ({ type, operations, attributes, relationships }: ResourceDefinition, lists: ValueLists) => ({
  operations: WRITES.filter((name) => operations.includes(name)),
  fields: entries(attributes, (attribute) =>
    attribute.kind !== 'trigger' && isSent(attribute.write) ? fieldOf(attribute, lists) : undefined,
  ),
  relationships: entries(relationships, (relationship) =>
    isSent(relationship.write) ? relationshipOf(relationship) : undefined,
  ),
  triggers: entries(attributes, ({ kind, carries = 'boolean', argumentOf }, name) =>
    kind === 'trigger' && argumentOf === undefined && !isOfMachine(type, name) ? carries : undefined,
  ),
})

/** A line for each type that can be written, in the order of their names, so that changes can be read. */
export const renderConsoleForms = (): string => {
  const lists = createValueLists()
  const lines = resources
    .filter(({ operations }) => WRITES.some((name) => operations.includes(name)))
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
    .map((definition) => `${JSON.stringify(definition.type)}: ${JSON.stringify(formOf(definition, lists))}`)
  const values = lists.lists.map((list) => JSON.stringify(list))
  return `{\n"values": [\n${values.join(',\n')}\n],\n"types": {\n${lines.join(',\n')}\n}\n}\n`
}

if (import.meta.main) await writeFile(consoleFormsPath, renderConsoleForms())
