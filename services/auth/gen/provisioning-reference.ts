/** Writes docs/reference/provisioning.md from the definitions: `node services/auth/gen/provisioning-reference.ts`. */
import { writeFile } from 'node:fs/promises'
import type { Attribute, WritePolicy } from '@merx/jsonapi/attributes'
import type { Operation, ResourceDefinition } from '@merx/jsonapi/define-resource'
import { limits } from '@merx/jsonapi/limits'
import { valueKindOf } from '@merx/jsonapi/predicates'
import type { Relationship } from '@merx/jsonapi/relationships'
import { budgets } from '@merx/rate-limit/budgets'
import { ownResources, provisionedResources } from '../src/provisioning/resources/index.ts'
import { RESOURCE_TYPES } from '../src/roles/resource-shapes.ts'

export const provisioningPage = new URL('../../../docs/reference/provisioning.md', import.meta.url)

const code = (text: string): string => `\`${text}\``
const yes = (is: boolean): string => (is ? 'yes' : '')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const REQUESTS: Readonly<Record<Operation, (path: string) => string>> = {
  list: (path) => `GET ${path}`,
  retrieve: (path) => `GET ${path}/<id>`,
  create: (path) => `POST ${path}`,
  update: (path) => `PATCH ${path}/<id>`,
  delete: (path) => `DELETE ${path}/<id>`,
}

const requestsOf = ({ path, operations }: ResourceDefinition): string =>
  operations.map((operation) => code(REQUESTS[operation](`/provisioning/${path}`))).join(', ')

const SENT_AT: Readonly<Record<WritePolicy, string>> = {
  always: 'create, update',
  create: 'create',
  update: 'update',
  never: '',
}

const sentAt = ({
  write,
  required,
  default: byDefault,
}: Pick<Attribute, 'write' | 'required' | 'default'>): string => {
  const isNeeded = required && byDefault === undefined && (write === 'always' || write === 'create')
  return `${SENT_AT[write]}${isNeeded ? '; required' : ''}`
}

const listOf = (values: readonly string[]): string =>
  values === RESOURCE_TYPES ? 'a [resource type of core](core-resources.md)' : values.map(code).join(' ')

const kindOf = ({ kind, carries, values = [] }: Attribute): string => {
  if (kind === 'oneOf') return listOf(values)
  return kind === 'trigger' ? `trigger, ${carries ?? 'boolean'}` : kind
}

const valueOf = (attribute: Attribute): string => {
  const { kind, min, max, default: byDefault, show, secret } = attribute
  const parts = [
    kindOf(attribute),
    min === undefined ? '' : `from ${min}`,
    max === undefined ? '' : `up to ${max}`,
    byDefault === undefined || byDefault === null ? '' : `default ${code(JSON.stringify(byDefault))}`,
    show === 'never' && kind !== 'trigger' ? 'never shown' : '',
    secret ? 'only in the answer that makes it' : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

const attributeRow = ([name, attribute]: readonly [string, Attribute]): readonly string[] => [
  code(name),
  valueOf(attribute),
  sentAt(attribute),
  yes(attribute.filter && valueKindOf(attribute.kind) !== undefined),
  yes(attribute.sort),
]

const targetOf = (relationship: Relationship): string =>
  relationship.kind === 'polymorphicToOne'
    ? relationship.targets.map(code).join(' ')
    : `${relationship.kind === 'toMany' ? 'many ' : ''}${code(relationship.target)}`

const relationshipRow = ([name, relationship]: readonly [string, Relationship]): readonly string[] => [
  code(name),
  targetOf(relationship),
  sentAt(relationship),
  yes(relationship.include),
  yes(relationship.filter),
]

const COMMON = ['created_at', 'updated_at', 'reference', 'reference_origin', 'metadata']

const section = (definition: ResourceDefinition): readonly string[] => [
  `## ${definition.type}`,
  '',
  definition.summary,
  '',
  requestsOf(definition),
  '',
  table(
    ['Attribute', 'Value', 'Sent at', 'Filter', 'Sort'],
    Object.entries(definition.attributes)
      .filter(([name]) => !COMMON.includes(name))
      .map(attributeRow),
  ),
  '',
  table(
    ['Relationship', 'To', 'Sent at', 'Include', 'Filter'],
    Object.entries(definition.relationships).map(relationshipRow),
  ),
  '',
]

/** What it is, and who may: it has no filters and no pages. */
const ownSection = (definition: ResourceDefinition): readonly string[] => [
  `## ${definition.type}`,
  '',
  `${definition.summary} For every user who signed in to a webapp of the organization, with any role. A list takes no parameters and has all of them, the oldest first.`,
  '',
  requestsOf(definition),
  '',
  table(
    ['Attribute', 'Value', 'Sent at'],
    Object.entries(definition.attributes)
      .filter(([name]) => !COMMON.includes(name))
      .map((row) => attributeRow(row).slice(0, 3)),
  ),
  '',
]

const budgetText = (): string => {
  const { average, burst } = budgets.provisioning.live
  const inBurst = burst === undefined ? '' : `, ${burst.points} in ${burst.seconds} s to one resource type`
  return `${average.points} requests in ${average.seconds} s from one address${inBurst}`
}

/** The whole page as Markdown. */
export const renderProvisioning = (): string =>
  [
    '# Provisioning',
    '',
    'Generated from `services/auth/src/provisioning/resources/` by services/auth/gen/provisioning-reference.ts; do not edit. How to use it: [provision over HTTP](../how-to/provision-over-http.md).',
    '',
    'JSON:API 1.0 under `{auth_url}/provisioning`, media type `application/vnd.api+json`, with the token of a user who has the admin role and signed in to a webapp of the organization; [`saved_questions`](#saved_questions) take any role. Everything is that of this organization.',
    '',
    'Every resource has `id`, `created_at`, `updated_at`, `reference`, `reference_origin` (texts up to 255) and `metadata` (an object) besides what is listed below; the last three can be sent, all but `metadata` can be sorted by, all can be filtered by.',
    '',
    table(
      ['Limit', 'Value'],
      [
        ['Requests', budgetText()],
        ['`page[size]`', `1 to ${limits.pageSizeMax}, default ${limits.pageSizeDefault}`],
        ['Resources of one included relationship', '1000'],
        ['Characters of `metadata` and `restrictions` as JSON', String(limits.jsonCharactersMax)],
      ],
    ),
    '',
    'Filters are `filter[q][<attributes>_<predicate>]` with the [predicates of the core interface](core-resources.md#predicates).',
    '',
    ...provisionedResources.definitions.flatMap(section),
    ...ownResources.definitions.flatMap(ownSection),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')

if (import.meta.main) await writeFile(provisioningPage, renderProvisioning())
