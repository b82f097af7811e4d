/** Writes docs/reference/data-model.md from the Prisma schemas of auth and core: `node infra/embedded/gen/data-model.ts`. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { areas } from '@merx/core/areas'
import { tablesOf, type Column, type Table } from '../src/prisma-models.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')

export const dataModelPage = path.join(ROOT, 'docs', 'reference', 'data-model.md')

const schemaOf = (service: string): readonly Table[] =>
  tablesOf(readFileSync(path.join(ROOT, 'services', service, 'prisma', 'schema.prisma'), 'utf8'))

export const coreTables = schemaOf('core')
export const authTables = schemaOf('auth')

/** Every row of core refers to it, so the diagrams leave it out. */
const ENVIRONMENTS = 'environments'

/** Tables that no resource and no foreign key puts into an area: queues and notes between the services. */
const INTERNAL = 'internal'

/** Table → the folder of its area, as the definitions of the resources say. */
const areaOfDefinedTable = (): ReadonlyMap<string, string> => {
  const folderOfType = new Map<string, string>()
  const files = globSync('services/core/src/*/*.ts', { cwd: ROOT }).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  for (const file of files) {
    const text = readFileSync(path.join(ROOT, file), 'utf8')
    for (const [, type = ''] of text.matchAll(/defineResource\('(\w+)'/g)) {
      folderOfType.set(type, path.basename(path.dirname(file)))
    }
  }
  const resources = areas.flatMap((area) => area.resources)
  return new Map(
    resources.flatMap(({ type, table }) => {
      const folder = folderOfType.get(type)
      return folder === undefined ? [] : [[table, folder] as const]
    }),
  )
}

const isEnvironment = (target: string): boolean => target === ENVIRONMENTS

/** A table without a resource belongs where its first required foreign key leads. */
const areaOf = (
  table: Table,
  defined: ReadonlyMap<string, string>,
  byName: ReadonlyMap<string, Table>,
): string => {
  const own = defined.get(table.name)
  if (own !== undefined) return own
  const owner = table.foreignKeys.find(
    ({ target, isOptional }) => !isOptional && !isEnvironment(target) && target !== table.name,
  )
  const target = owner === undefined ? undefined : byName.get(owner.target)
  return target === undefined ? INTERNAL : areaOf(target, defined, byName)
}

/** Area → its tables, in the order of the schema; `internal` is last. */
export const coreAreas = (): ReadonlyMap<string, readonly Table[]> => {
  const defined = areaOfDefinedTable()
  const byName = new Map(coreTables.map((table) => [table.name, table]))
  const grouped = Map.groupBy(
    coreTables.filter(({ name }) => !isEnvironment(name)),
    (table) => areaOf(table, defined, byName),
  )
  const names = [...grouped.keys()].filter((name) => name !== INTERNAL).toSorted()
  return new Map([...names, INTERNAL].map((name) => [name, grouped.get(name) ?? []]))
}

const diagram = (tables: readonly Table[]): readonly string[] => {
  const edges = tables.flatMap(({ name, foreignKeys }) =>
    foreignKeys
      .filter(({ target }) => !isEnvironment(target))
      .map((key) => `  ${key.target} ${key.isOptional ? '|o' : '||'}--o{ ${name} : ${key.name}`),
  )
  const alone = tables.filter(({ name }) => !edges.some((edge) => edge.split(/\s+/).includes(name)))
  return ['```mermaid', 'erDiagram', ...edges, ...alone.map(({ name }) => `  ${name}`), '```']
}

const columnText = ({ name, type, isOptional }: Column): string =>
  `\`${name}\` ${type}${isOptional ? '?' : ''}`

/** Columns of every row of core. */
const COMMON = ['environment_id', 'reference', 'reference_origin', 'metadata', 'created_at', 'updated_at']

const tableRows = (tables: readonly Table[], left: readonly string[]): readonly string[] => [
  '| Table | Columns |',
  '|---|---|',
  ...tables.map(({ name, note, columns }) => {
    const shown = columns.filter((column) => !left.includes(column.name)).map(columnText)
    const text = note === '' ? '' : `${note.replaceAll('|', String.raw`\|`)}<br>`
    return `| \`${name}\` | ${text}${shown.join(', ')} |`
  }),
]

const section = (title: string, tables: readonly Table[], left: readonly string[]): readonly string[] => [
  `## ${title}`,
  '',
  ...diagram(tables),
  '',
  ...tableRows(tables, left),
  '',
]

const titleOf = (area: string): string =>
  area === INTERNAL ? 'Core: internal tables' : `Core: ${area.replaceAll('-', ' ')}`

/** The whole page as Markdown. */
export const renderDataModel = (): string =>
  [
    '# Data model',
    '',
    'Generated from services/core/prisma/schema.prisma and services/auth/prisma/schema.prisma by',
    'infra/embedded/gen/data-model.ts; do not edit. Names are those of the database. A line leads from the table that is',
    'referred to, to the table with the foreign key; a circle at the first end means that the key may be null. `?` marks a',
    'column that may be null. The wide tables of metrics are in [metrics fields](metrics-fields.md).',
    '',
    'Every row of core belongs to one row of `environments` (an organization in one mode), and every foreign key includes',
    '`environment_id`, so no row can refer to another environment. The diagrams leave that key out, and the lists leave out',
    `${COMMON.map((name) => `\`${name}\``).join(', ')}. Sections are the areas in services/core/src.`,
    '',
    ...[...coreAreas()].flatMap(([area, tables]) => section(titleOf(area), tables, COMMON)),
    ...section('Auth', authTables, ['reference', 'reference_origin', 'metadata']),
  ].join('\n')

if (import.meta.main) writeFileSync(dataModelPage, renderDataModel())
