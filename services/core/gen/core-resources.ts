/** Writes docs/reference/core-resources.md from the definitions: `node services/core/gen/core-resources.ts`. */
import { writeFile } from 'node:fs/promises'
import { salesChannelGrants } from '@merx/access-token/sales-channel-grants'
import { companionsOf } from '@merx/jsonapi/attributes'
import type { Attribute, WritePolicy } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { limits } from '@merx/jsonapi/limits'
import { predicatesFor, valueKindOf } from '@merx/jsonapi/predicates'
import type { ValueKind } from '@merx/jsonapi/predicates'
import type { Relationship } from '@merx/jsonapi/relationships'
import { resources } from '../src/areas.ts'
import { isExportable } from '../src/bulk/exports/begin-export.ts'
import { IMPORTABLE } from '../src/bulk/imports/importable.ts'

/** Where the page is kept. */
export const coreResourcesPath = new URL('../../../docs/reference/core-resources.md', import.meta.url)

const served = resources.toSorted((a, b) => (a.type < b.type ? -1 : 1))

/** What of every type → the test that walks it; core-resources.test.ts checks that each is there. */
export const PROOFS: Readonly<Record<string, string>> = {
  'list, retrieve, related resources, linkage, include': 'test/http/api/documents.test.ts',
  'each operation by each kind of caller: roles, guests, customers':
    'test/http/access/permission-cells.test.ts',
  'no row of another environment, organization or market is seen or changed':
    'test/http/access/isolation.test.ts',
  'fields that sales channels never send': 'src/access/prohibited-fields.test.ts',
  'filters, and what is none; export': 'test/http/api/every-type.long.test.ts',
  'import, where there is one; an exported file imported again, here and in another organization':
    'test/http/bulk/every-importable-type.long.test.ts',
  sorts: 'test/db/engine/lists.test.ts',
  'update and delete of an older version (`If-Match`)': 'test/http/api/entity-tags-of-types.test.ts',
  'the shapes of OpenAPI': 'src/api/openapi/build-openapi.test.ts',
}

/** The whole page as Markdown. */
export const renderCoreResources = (): string =>
  [
    '# Resources of the core interface',
    '',
    'Generated from the areas in `services/core/src/` by services/core/gen/core-resources.ts; do not edit. The same as OpenAPI 3.1, with the shapes of all documents: `GET /api/openapi.json`.',
    '',
    '## Operations',
    '',
    'What an integration with the role admin may do; the roles read_only and custom less. The last two columns are what sales channels may: `l` list, `r` retrieve, `c` create, `u` update, `d` delete, `i` only as a relationship or include of what they may read. Which rows: [permissions](permissions.md).',
    '',
    '| Resource | Address | list | retrieve | create | update | delete | import | export | guests | customers |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...served.map(operationsRow),
    '',
    'These tests walk every type, so that a new one is covered the day it is defined:',
    '',
    '| Of every type | Test |',
    '|---|---|',
    ...Object.entries(PROOFS).map(([what, test]) => `| ${what} | ${code(test)} |`),
    '',
    'Every resource has `id`, `created_at`, `updated_at`, `reference`, `reference_origin` and `metadata` besides what is listed below; all but `metadata` can be sorted by, all can be filtered by.',
    '',
    '## Predicates',
    '',
    '`filter[q][<attributes>_<predicate>]=<value>`; attributes are joined by `_or_` or `_and_`, those of relationships are `<relationship>_<attribute>`. Commas separate the values of a list (`code_in`, `code_cont_any`); `\\,` is a comma in a value.',
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

/** What a sales channel may do, of what there is: one letter an operation. */
const lettersOf = (type: string, operations: readonly string[], isCustomer: boolean): string => {
  const grants = salesChannelGrants(type, isCustomer)
  const reads = grants.map(({ read }) => read)
  const letters = [
    ['list', 'l', reads.includes('list')],
    ['retrieve', 'r', reads.includes('list') || reads.includes('single')],
    ['create', 'c', grants.some(({ create }) => create)],
    ['update', 'u', grants.some(({ update }) => update)],
    ['delete', 'd', grants.some(({ destroy }) => destroy)],
  ] as const
  const granted = letters.filter(([operation, , isGranted]) => isGranted && operations.includes(operation))
  if (granted.length === 0) return reads.includes('related') ? 'i' : ''
  return granted.map(([, letter]) => letter).join('')
}

const operationsRow = (definition: ResourceDefinition): string => {
  const { type, path, isSingleton, operations } = definition
  const marks = (['list', 'retrieve', 'create', 'update', 'delete'] as const).map((operation) =>
    operations.includes(operation) ? 'yes' : '',
  )
  const isImportable = IMPORTABLE.some((importable) => importable.type === type)
  const address = `/api/${path}${isSingleton ? '' : '/<id>'}`
  return `| [${type}](#${type}) | ${code(address)} | ${marks.join(' | ')} | ${isImportable ? 'yes' : ''} | ${yes(isExportable(definition))} | ${lettersOf(type, operations, false)} | ${lettersOf(type, operations, true)} |`
}

const section = (definition: ResourceDefinition): readonly string[] => {
  const attributes = Object.entries(definition.attributes).filter(([name]) => !COMMON.includes(name))
  const relationships = Object.entries(definition.relationships)
  const named = Object.entries(definition.namedFilters)
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
    ...(named.length === 0
      ? []
      : ['| Named filter | Stands for |', '|---|---|', ...named.map(namedFilterRow), '']),
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

const namedFilterRow = ([name, key]: readonly [string, string]): string =>
  `| ${code(`filter[q][${name}]`)} | ${code(key)} |`

if (import.meta.main) await writeFile(coreResourcesPath, renderCoreResources())
