/** The types of src/engine/database/rows.ts tell what the pool returns: each type of a column of the Prisma schema. */
import { readFileSync } from 'node:fs'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'
import { parsePrismaModels } from '../support/prisma-models.ts'

let core: CoreDatabase
beforeAll(async () => {
  core = await openCoreDatabase('row_types')
})
afterAll(() => core.drop())

const models = parsePrismaModels(
  readFileSync(new URL('../../../prisma/schema.prisma', import.meta.url), 'utf8'),
)

/** Type of a column → a value, and what `RowOf` says it is. */
const RETURNED: Readonly<Record<string, readonly [string, (value: unknown) => boolean]>> = {
  text: ["'a'", (value) => typeof value === 'string'],
  bigint: ['9007199254740991', (value) => value === 9007199254740991],
  integer: ['1', (value) => value === 1],
  'double precision': ['1.5', (value) => value === 1.5],
  'numeric(10,8)': ['0.22', (value) => value === '0.22000000'],
  boolean: ['true', (value) => value === true],
  jsonb: ['\'{"a": [1]}\'', (value) => JSON.stringify(value) === '{"a":[1]}'],
  'timestamptz(3)': ["'2026-11-25T10:00:00Z'", (value) => value instanceof Date],
  uuid: [
    "'0192f0c1-2b3c-7d4e-8f50-123456789abc'",
    (value) => value === '0192f0c1-2b3c-7d4e-8f50-123456789abc',
  ],
  bytea: ["'\\x00'", (value) => value instanceof Uint8Array],
}

const types = [
  ...new Set(models.flatMap(({ fields }) => fields.map(({ type }) => type.replaceAll(' ', ' ')))),
]

test.each(types)('a column of type %s', async (type) => {
  const known = RETURNED[type.replace(', ', ',')]
  expect(known).toBeDefined()
  const [sample, isReturned] = known ?? ['NULL', () => false]
  const [row] = await core.database.query<{ value: unknown; missing: unknown }>(
    `SELECT ${sample}::${type} AS value, NULL::${type} AS missing`,
  )
  expect({ isReturned: isReturned(row?.value), missing: row?.missing }).toEqual({
    isReturned: true,
    missing: null,
  })
})
