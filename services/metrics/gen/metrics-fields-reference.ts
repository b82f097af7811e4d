/** Writes docs/reference/metrics-fields.md from the catalogue: `node services/metrics/gen/metrics-fields-reference.ts`. */
import { writeFile } from 'node:fs/promises'
import {
  dateBreakdownOperators,
  intervals,
  rangeOperators,
  type Attribute,
  type FilterKey,
  type ListItem,
  type Resource,
} from '../src/catalogue/attribute.ts'
import { loadCatalogue, loadFbt } from '../src/catalogue/load-catalogue.ts'
import { limits } from '../src/request/limits.ts'

export const REFERENCE = new URL('../../../docs/reference/metrics-fields.md', import.meta.url)

const code = (text: string): string => `\`${text}\``
const codes = (texts: readonly string[]): string => texts.map(code).join(', ')
const mark = (is: boolean): string => (is ? 'yes' : '')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const attributeRow = (attribute: Attribute): readonly string[] => [
  code(attribute.path),
  attribute.type,
  mark(attribute.isBy),
  mark(attribute.isDateBy),
  codes(attribute.operators),
  mark(attribute.isSearchable),
  mark(attribute.isExportable),
  mark(attribute.isSortable),
]

const itemsOf: Readonly<Record<ListItem, string>> = {
  string: 'strings',
  email: 'emails, in any case',
  integer: 'integers',
  'string or integer': 'strings, or integers',
}

const valueOf = (key: FilterKey): string => {
  switch (key.kind) {
    case 'date_bound':
      return `UTC timestamp, only together with ${code(key.requires)}`
    case 'date_field':
      return `one of ${codes(key.values)}; default ${code(key.default)}`
    case 'section':
      return `an object, see ${code(key.section)}`
    case 'boolean':
      return '`true` or `false`'
    case 'string':
      return `one of ${codes(key.values)}`
    case 'query':
      return '`{"query": "text"}`'
    case 'range':
      return `comparison of ${key.item}s`
    case 'list': {
      const prefix = key.match === 'prefix' ? `, each at least the first ${key.itemLengthMin} characters` : ''
      const values = key.values === undefined ? '' : `, of ${codes(key.values)}`
      return `list of ${itemsOf[key.item]}${prefix}${values}`
    }
  }
}

const attributeOf = (key: FilterKey): string => ('attribute' in key ? code(key.attribute.path) : '')

const filterRows = (resource: Resource): readonly (readonly string[])[] =>
  [...resource.filters].flatMap(([section, keys]) =>
    (section === resource.alias ? [] : [...keys]).map(([name, key]) => [
      code(section),
      code(name),
      valueOf(key),
      attributeOf(key),
    ]),
  )

const populationOf = ({ population, record }: Resource): string =>
  population === undefined ? `Every ${record}.` : `Records whose status is one of ${codes(population)}.`

const aliasText = (record: string, alias: string): string =>
  `Every path \`${record}.…\` may also be written \`${alias}.…\`, and the filter section \`${record}\` as \`${alias}\` (one of them in a request). Buckets and columns are named as the request names them.`

const renderResource = (resource: Resource): string =>
  [
    `## ${resource.name}`,
    `${populationOf(resource)} Default order and date range: ${code(resource.sortByDefault.path)}.`,
    `Wildcards of a search: ${codes(resource.wildcards)}.`,
    ...(resource.alias === undefined ? [] : [aliasText(resource.record, resource.alias)]),
    '### Attributes',
    table(
      ['Path', 'Type', 'by', 'date by', 'Operators as field', 'In search', 'In export', 'sort_by'],
      [...resource.attributes.values()].filter(({ aliasOf }) => aliasOf === undefined).map(attributeRow),
    ),
    '### Filters',
    table(['Section', 'Key', 'Value', 'Attribute'], filterRows(resource)),
    '### Breakdowns that may not be nested',
    table(
      ['Outer by', 'Inner by'],
      [...resource.nestedByForbidden].map(([outer, inner]) => [code(outer), codes(inner)]),
    ),
  ].join('\n\n')

const intro = [
  '# Fields of the metrics interface',
  'Generated from services/metrics/src/catalogue by services/metrics/gen/metrics-fields-reference.ts; do not edit.',
  `- Comparisons: ${codes(rangeOperators)}, exactly one; the last four take \`[low, high]\`. A missing value passes \`ne\` only.`,
  `- Lists: \`in\` (any of) and \`not_in\` (none of), 1 to ${limits.listItemsMax} items. A missing value passes \`not_in\`.`,
  '- Timestamps are UTC, `2022-01-31T23:59:59Z`: as `date_to`, with `eq`, `ne` and an upper bound that is included, the whole second. With a fraction of up to three digits they are instants.',
  '- Keys of one section that holds a list (`line_items`, `shipments` with its sections, …) must be satisfied by the same element. That element, and no other, is then counted, grouped and measured; a search still shows all.',
  `- A date_breakdown takes ${codes(dateBreakdownOperators)} (with \`METRICS_DIALECT=vendor\`: the operators of the field) and the intervals ${codes(intervals)}, default \`month\`. Weeks start on Monday; everything is UTC.`,
  `- Breakdowns keep ${limits.breakdownDefault} buckets unless \`limit\` says otherwise, at most ${limits.breakdownMax}; a search ${limits.searchDefault} records, at most ${limits.searchMax}.`,
  `- An export takes the query of a search without \`limit\` and \`cursor\`, under the key \`search\`, and gives at most ${limits.exportMax} records as CSV.`,
  '- Amounts are in currency units.',
  '- The same as an OpenAPI document: [metrics-openapi.json](metrics-openapi.json).',
].join('\n')

const renderFbt = (): string => {
  const fbt = loadFbt(loadCatalogue())
  const rows = [...fbt.filters].flatMap(([section, keys]) =>
    [...keys.keys()].map((name) => [
      code(section),
      code(name),
      '`{"in": […]}`, all of them in the order; required',
    ]),
  )
  return [
    '## analysis/fbt',
    `What is frequently bought together: line items of type ${codes(fbt.itemTypes)} in the orders of all times that hold every given item, at most ${fbt.recordsMax}. The body has a filter and no query.`,
    table(['Section', 'Key', 'Value'], rows),
  ].join('\n\n')
}

/** The whole page. */
export const renderReference = (): string =>
  `${[intro.replace('\n', '\n\n').replace('edit.\n', 'edit.\n\n'), ...[...loadCatalogue().values()].map(renderResource), renderFbt()].join('\n\n')}\n`

if (import.meta.main) await writeFile(REFERENCE, renderReference())
