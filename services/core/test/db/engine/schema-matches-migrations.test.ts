/** The Prisma schema, the migrated database and the resource definitions describe the same tables. */
import { readFileSync } from 'node:fs'
import { isStored } from '@merx/jsonapi/attributes'
import { columnOf, foreignKeyOf, polymorphicKeyOf } from '@merx/jsonapi/columns'
import { resources } from '../../../src/areas.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'
import { parsePrismaModels } from '../support/prisma-models.ts'

interface ColumnRow {
  readonly table_name: string
  readonly column_name: string
  readonly data_type: string
  readonly is_nullable: 'YES' | 'NO'
  readonly has_default: boolean
}

const COLUMNS = `
  SELECT table_name, column_name, is_nullable,
    CASE data_type WHEN 'timestamp with time zone' THEN 'timestamptz(' || datetime_precision || ')'
      WHEN 'numeric' THEN 'numeric(' || numeric_precision || ', ' || numeric_scale || ')' ELSE data_type END AS data_type,
    (column_default IS NOT NULL OR is_identity = 'YES' OR is_generated = 'ALWAYS') AS has_default
  FROM information_schema.columns
  WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'
    AND table_name NOT IN (SELECT viewname FROM pg_views WHERE schemaname = 'public')
  ORDER BY table_name, column_name`

/** Primary and unique keys of plain columns; foreign keys with what they do on delete and update. */
const KEYS = `
  SELECT conrelid::regclass::text AS table_name, contype AS kind,
    (SELECT string_agg(attname, ', ' ORDER BY place) FROM unnest(conkey) WITH ORDINALITY AS keys (attnum, place)
     JOIN pg_attribute USING (attnum) WHERE attrelid = conrelid) AS columns,
    CASE WHEN contype = 'f' THEN confrelid::regclass::text || ' (' ||
      (SELECT string_agg(attname, ', ' ORDER BY place) FROM unnest(confkey) WITH ORDINALITY AS keys (attnum, place)
       JOIN pg_attribute USING (attnum) WHERE attrelid = confrelid) || ')' END AS target,
    CASE confdeltype WHEN 'c' THEN 'Cascade' ELSE 'NoAction' END AS on_delete,
    CASE confupdtype WHEN 'c' THEN 'Cascade' ELSE 'NoAction' END AS on_update
  FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f')
    AND conrelid::regclass::text <> '_prisma_migrations'`

interface KeyRow {
  readonly table_name: string
  readonly kind: 'p' | 'u' | 'f'
  readonly columns: string
  readonly target: string | null
  readonly on_delete: string
  readonly on_update: string
}

let core: CoreDatabase
beforeAll(async () => {
  core = await openCoreDatabase('schema')
})
afterAll(() => core.drop())

const models = parsePrismaModels(
  readFileSync(new URL('../../../prisma/schema.prisma', import.meta.url), 'utf8'),
)

/** Filled by a trigger, so PostgreSQL names no default although one may be left out. */
const FILLED_BY_TRIGGER = [
  'markets.number',
  'stock_locations.number',
  'orders.number',
  'stock_transfers.number',
]

test('every column of the database is a field of the schema with the same type, and the other way round', async () => {
  const rows = await core.database.query<ColumnRow>(COLUMNS)
  const inDatabase = rows.map((row) => ({
    column: `${row.table_name}.${row.column_name}`,
    type: row.data_type,
    isOptional: row.is_nullable === 'YES',
    hasDefault: row.has_default || FILLED_BY_TRIGGER.includes(`${row.table_name}.${row.column_name}`),
  }))
  const inSchema = models.flatMap(({ table, fields }) =>
    fields.map(({ column, type, isOptional, hasDefault }) => ({
      column: `${table}.${column}`,
      type,
      isOptional,
      hasDefault,
    })),
  )
  const byName = (a: { column: string }, b: { column: string }): number => (a.column < b.column ? -1 : 1)
  expect(inSchema.sort(byName)).toEqual(inDatabase.sort(byName))
})

test('primary, unique and foreign keys are the same', async () => {
  const rows = await core.database.query<KeyRow>(KEYS)
  const inDatabase = rows.map((row) =>
    row.kind === 'f'
      ? `${row.table_name} (${row.columns}) → ${String(row.target)} ${row.on_delete} ${row.on_update}`
      : `${row.table_name} ${row.kind === 'p' ? 'primary' : 'unique'} (${row.columns})`,
  )
  expect(models.flatMap(({ keys }) => keys).sort()).toEqual(inDatabase.sort())
})

test('every foreign key to a table of environments carries the environment', async () => {
  const rows = await core.database.query<KeyRow>(KEYS)
  const without = rows.filter(({ kind, columns }) => kind === 'f' && !columns.startsWith('environment_id'))
  expect(without).toEqual([])
})

const TYPES: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  oneOf: ['text'],
  integer: ['integer', 'bigint'],
  cents: ['bigint'],
  float: ['double precision', 'numeric(10, 8)'],
  boolean: ['boolean'],
  instant: ['timestamptz(3)'],
  object: ['jsonb'],
  list: ['jsonb'],
}

const stored = resources
  .filter(({ type }) => type !== 'applications')
  .map((definition) => [definition.type, definition] as const)

test.each(stored)(
  'every stored attribute and relationship of %s has its column',
  async (_type, definition) => {
    const rows = await core.database.query<ColumnRow>(COLUMNS)
    const columns = new Map(rows.map((row) => [`${row.table_name}.${row.column_name}`, row.data_type]))
    const typeOf = (column: string): string =>
      columns.get(`${definition.table}.${column}`) ?? `${column} is missing`
    for (const [name, attribute] of Object.entries(definition.attributes)) {
      // What is sealed is a text, whatever was sealed.
      const kind = attribute.sealed === true ? 'text' : attribute.kind
      if (isStored(attribute)) expect(TYPES[kind]).toContain(typeOf(columnOf(name, attribute)))
      for (const column of attribute.columns ?? [])
        expect(columns.has(`${definition.table}.${column}`)).toBe(true)
      if (attribute.currencyColumn !== undefined) expect(typeOf(attribute.currencyColumn)).toBe('text')
    }
    for (const [name, relationship] of Object.entries(definition.relationships)) {
      if (relationship.kind === 'toOne' && relationship.virtual === undefined)
        expect(typeOf(foreignKeyOf(name, relationship))).toBe('bigint')
      if (relationship.kind === 'polymorphicToOne') {
        const key = polymorphicKeyOf(name, relationship)
        expect([typeOf(key.type), typeOf(key.id)]).toEqual(['text', 'bigint'])
      }
    }
    const model = models.find(({ table }) => table === definition.table)
    expect(definition.model).toBe(model?.name)
  },
)
