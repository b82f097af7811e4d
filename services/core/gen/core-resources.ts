/** Writes docs/reference/core-resources.md from the definitions: `node services/core/gen/core-resources.ts`. */
import { writeFile } from 'node:fs/promises'
import { companionsOf } from '@merx/jsonapi/attributes'
import type { Attribute, WritePolicy } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { limits } from '@merx/jsonapi/limits'
import { predicatesFor, valueKindOf } from '@merx/jsonapi/predicates'
import type { ValueKind } from '@merx/jsonapi/predicates'
import type { Relationship } from '@merx/jsonapi/relationships'
import { resources } from '../src/areas.ts'
import { IMPORTABLE } from '../src/bulk/imports/importable.ts'

/** Where the page is kept. */
export const coreResourcesPath = new URL('../../../docs/reference/core-resources.md', import.meta.url)

const served = resources.filter(({ isPlanned }) => !isPlanned).toSorted((a, b) => (a.type < b.type ? -1 : 1))

/** The whole page as Markdown. */
export const renderCoreResources = (): string =>
  [
    '# Resources of the core interface',
    '',
    'Generated from the areas in `services/core/src/` by services/core/gen/core-resources.ts; do not edit. The same as OpenAPI 3.1, with the shapes of all documents: `GET /api/openapi.json`.',
    '',
    '## Operations',
    '',
    '| Resource | Address | list | retrieve | create | update | delete | import |',
    '|---|---|---|---|---|---|---|---|',
    ...served.map(operationsRow),
    '',
    'Every resource has `id`, `created_at`, `updated_at`, `reference`, `reference_origin` and `metadata` besides what is listed below; all but `metadata` can be sorted by, all can be filtered by.',
    '',
    '## Predicates',
    '',
    '`filter[q][<attributes>_<predicate>]=<value>`; attributes are joined by `_or_` or `_and_`, those of relationships are `<relationship>_<attribute>`.',
    '',
    '| Values | Predicates |',
    '|---|---|',
    ...(['text', 'integer', 'float', 'boolean', 'instant', 'id', 'object', 'list'] satisfies ValueKind[]).map(
      (kind) => `| ${kind} | ${predicatesFor(kind).map(code).join(' ')} |`,
    ),
    '',
    '## Limits',
    '',
    '| Limit | Value |',
    '|---|---|',
    ...Object.entries(limits).map(([name, value]) => `| ${code(name)} | ${value} |`),
    '',
    ...served.flatMap(section),
  ].join('\n')

const code = (text: string): string => `\`${text}\``

const operationsRow = ({ type, path, isSingleton, operations }: ResourceDefinition): string => {
  const marks = (['list', 'retrieve', 'create', 'update', 'delete'] as const).map((operation) =>
    operations.includes(operation) ? 'yes' : '',
  )
  const isImportable = IMPORTABLE.some((importable) => importable.type === type)
  const address = `/api/${path}${isSingleton ? '' : '/<id>'}`
  return `| [${type}](#${type}) | ${code(address)} | ${marks.join(' | ')} | ${isImportable ? 'yes' : ''} |`
}

const section = (definition: ResourceDefinition): readonly string[] => {
  const attributes = Object.entries(definition.attributes).filter(([name]) => !COMMON.includes(name))
  const relationships = Object.entries(definition.relationships)
  return [
    `## ${definition.type}`,
    '',
    definition.summary,
    '',
    ...(attributes.length === 0
      ? []
      : [
          '| Attribute | Value | Sent at | Filter | Sort |',
          '|---|---|---|---|---|',
          ...attributes.map(attributeRow),
          '',
        ]),
    ...(relationships.length === 0
      ? []
      : [
          '| Relationship | To | Sent at | Include | Filter | Sort |',
          '|---|---|---|---|---|---|',
          ...relationships.map(relationshipRow),
          '',
        ]),
  ]
}

const COMMON = ['created_at', 'updated_at', 'reference', 'reference_origin', 'metadata']

const SENT_AT: Readonly<Record<WritePolicy, string>> = {
  always: 'create, update',
  create: 'create',
  update: 'update',
  never: '',
}

const sentAt = (write: WritePolicy, isRequired: boolean, isProhibited: boolean): string =>
  [
    SENT_AT[write],
    ...(isRequired ? ['required'] : []),
    ...(isProhibited ? ['not by sales channels'] : []),
  ].join('; ')

const attributeRow = ([name, attribute]: readonly [string, Attribute]): string => {
  const { kind, write, required, prohibited, filter, sort } = attribute
  const companions = kind === 'cents' ? Object.values(companionsOf(name)) : []
  const names = [name, ...companions].map(code).join(' ')
  const isFilterable = filter && valueKindOf(kind) !== undefined
  return `| ${names} | ${valueOf(attribute)} | ${sentAt(write, required, prohibited)} | ${yes(isFilterable)} | ${yes(sort)} |`
}

const yes = (is: boolean): string => (is ? 'yes' : '')

const LISTED_VALUES_MAX = 12

const valueOf = ({
  kind,
  carries,
  values = [],
  min,
  max,
  unique,
  show,
  secret,
  imported,
}: Attribute): string => {
  const listed = values.slice(0, LISTED_VALUES_MAX).map(code).join(' ')
  const bounds = [min === undefined ? '' : `from ${min}`, max === undefined ? '' : `up to ${max}`]
  const notes = [
    kind === 'trigger' ? `trigger, ${carries ?? 'boolean'}` : kind === 'oneOf' ? listed : kind,
    ...(values.length > LISTED_VALUES_MAX ? [`and ${values.length - LISTED_VALUES_MAX} more`] : []),
    bounds.filter((bound) => bound !== '').join(' '),
    ...(unique ? ['unique'] : []),
    ...(show === 'single' ? ['on single reads'] : []),
    ...(show === 'never' && kind !== 'trigger' ? ['never shown'] : []),
    ...(secret ? ['shown to confidential credentials'] : []),
    ...(imported === true ? ['set by imports'] : []),
  ]
  return notes.filter((note) => note !== '').join(', ')
}

const relationshipRow = ([name, relationship]: readonly [string, Relationship]): string => {
  const { write, required, prohibited, include, filter, sort } = relationship
  const targets = relationship.kind === 'polymorphicToOne' ? relationship.targets : [relationship.target]
  const isMany = relationship.kind === 'toMany'
  const to = `${isMany ? 'many ' : ''}${targets.map(code).join(' ')}`
  return `| ${code(name)} | ${to} | ${sentAt(write, required, prohibited)} | ${yes(include)} | ${yes(filter)} | ${yes(sort)} |`
}

if (import.meta.main) await writeFile(coreResourcesPath, renderCoreResources())
