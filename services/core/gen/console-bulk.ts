/**
 * Writes services/console/page/src/bulk/bulk-types.json from the definitions: what can be imported and exported, and what
 * the page cannot know from the forms. `node services/core/gen/console-bulk.ts`
 */
import { writeFile } from 'node:fs/promises'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { resources } from '../src/areas.ts'
import { RECORDS_MAX } from '../src/bulk/count-records.ts'
import { isExportable } from '../src/bulk/exports/begin-export.ts'
import { IMPORTABLE, INPUTS_MAX } from '../src/bulk/imports/importable.ts'
import type { Importable } from '../src/bulk/imports/importable.ts'

/** Where the list is kept. */
export const consoleBulkPath = new URL('../../console/page/src/bulk/bulk-types.json', import.meta.url)

const byType = new Map(resources.map((definition) => [definition.type, definition]))

const namesOf = <Value>(
  record: Readonly<Record<string, Value>>,
  isMeant: (value: Value) => boolean,
): readonly string[] =>
  Object.entries(record)
    .filter(([, value]) => isMeant(value))
    .map(([name]) => name)

/** Attributes and triggers that only imports write, besides those of the form. */
const onlyImported = ({ attributes }: ResourceDefinition): readonly string[] =>
  namesOf(attributes, ({ write, kind, imported }) =>
    kind === 'trigger' ? write !== 'never' : imported === true && write === 'never',
  )

/** Relationship → attributes by which a column can name its target, such as `price_list.code`. */
const namedBy = ({ relationships }: ResourceDefinition): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(relationships).flatMap(([name, relationship]) => {
      const target =
        relationship.kind === 'polymorphicToOne' || relationship.write === 'never'
          ? undefined
          : byType.get(relationship.target)
      const unique = target === undefined ? [] : namesOf(target.attributes, (attribute) => attribute.unique)
      return unique.length === 0 ? [] : [[name, unique]]
    }),
  )

const importOf = ({ type, keys, parent, code }: Importable) => {
  const definition = byType.get(type)
  if (definition === undefined) return []
  const target = parent === undefined ? undefined : definition.relationships[parent]
  return [
    [
      type,
      {
        keys,
        ...(parent === undefined || target?.kind !== 'toOne' ? {} : { parent, parentType: target.target }),
        ...(code === undefined ? {} : { code: code.attribute, coded: code.relationship }),
        also: onlyImported(definition),
        named: namedBy(definition),
      },
    ] as const,
  ]
}

/** Attribute, or relationship and attribute → kind of value. */
const filtersOf = ({ attributes, relationships }: ResourceDefinition): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(attributes)
      .filter(([, { filter, kind }]) => filter && kind !== 'object' && kind !== 'list')
      .map(([name, { kind }]) => [name, kind]),
  ),
  ...Object.fromEntries(
    Object.entries(relationships).flatMap(([name, relationship]) => {
      if (relationship.kind !== 'toOne' || !relationship.filter) return []
      const code = byType.get(relationship.target)?.attributes['code']
      return [code?.filter === true ? [`${name}_code`, 'text'] : [`${name}_id`, 'text']]
    }),
  ),
})

/** A line for each type, in the order of their names, so that changes can be read. */
const lines = (entries: readonly (readonly [string, unknown])[]): string =>
  entries
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([type, value]) => `${JSON.stringify(type)}: ${JSON.stringify(value)}`)
    .join(',\n')

export const renderConsoleBulk = (): string => {
  const imports = IMPORTABLE.flatMap(importOf)
  const exported = resources
    .filter(isExportable)
    .map((definition) => [definition.type, filtersOf(definition)] as const)
  return [
    '{',
    `"inputsMax": ${INPUTS_MAX},`,
    `"recordsMax": ${RECORDS_MAX},`,
    `"imports": {\n${lines(imports)}\n},`,
    `"exports": {\n${lines(exported)}\n}`,
    '}',
    '',
  ].join('\n')
}

if (import.meta.main) await writeFile(consoleBulkPath, renderConsoleBulk())
