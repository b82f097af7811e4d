/** The migrated database is the one that schema.prisma describes, and refuses what must never be stored. */
import { freshDatabase, type FreshDatabase } from '@merx/testing/fresh-database'
import { migrationsFolder } from '../../src/migrate.ts'
import { Prisma } from '../../src/store/generated/client.ts'
import { readSchema } from '../support/read-schema.ts'
import { runSql } from '../support/sql.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase({ name: 'auth_schema', migrations: migrationsFolder })
  await runSql(database.url, `INSERT INTO organizations (slug, name) VALUES ('shop', 'Shop')`)
  await runSql(
    database.url,
    `INSERT INTO roles (organization_id, name, kind, state_version) VALUES (1, 'Admin', 'admin', 1)`,
  )
})
afterAll(() => database.drop())

const TYPES: Record<string, string> = {
  BigInt: 'int8',
  Boolean: 'bool',
  Bytes: 'bytea',
  DateTime: 'timestamptz',
  Int: 'int4',
  Json: 'jsonb',
  String: 'text',
}

describe('schema.prisma', () => {
  it('has the tables and columns of the migrations, with the same types and nullability', async () => {
    const expected = (await readSchema()).map(({ table, column, type, enumName, isUuid, isRequired }) => ({
      table,
      column,
      type: isUuid ? 'uuid' : (enumName ?? TYPES[type]),
      is_required: isRequired,
    }))
    const actual = await runSql<{ table: string; column: string }>(
      database.url,
      `SELECT table_name AS "table", column_name AS "column", udt_name AS "type", is_nullable = 'NO' AS is_required
       FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'`,
    )
    const byName = (a: { table: string; column: string }, b: { table: string; column: string }) =>
      `${a.table}.${a.column}` < `${b.table}.${b.column}` ? -1 : 1
    expect([...actual].sort(byName)).toEqual(expected.sort(byName))
    expect(Object.keys(Prisma.ModelName)).toHaveLength(new Set(expected.map(({ table }) => table)).size)
  })
})

describe('the database', () => {
  const credential = (columns: Record<string, string>) => {
    const row: Record<string, string> = {
      organization_id: '1',
      mode: `'test'`,
      kind: `'sales_channel'`,
      name: `'x'`,
      client_id: `gen_random_uuid()::text`,
      secret_hash: `'\\x00'`,
      ...columns,
    }
    return `INSERT INTO credentials (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`
  }

  it.each(['7200', '1296000', 'NULL'])('takes a lifetime of %s seconds', async (seconds) => {
    await expect(runSql(database.url, credential({ expires_in_seconds: seconds }))).resolves.toBeDefined()
  })

  it.each([
    ['a lifetime below 7200 s', credential({ expires_in_seconds: '7199' }), 'credentials_lifetime'],
    ['a lifetime above 15 days', credential({ expires_in_seconds: '1296001' }), 'credentials_lifetime'],
    ['a role on a sales channel', credential({ role_id: '1' }), 'credentials_role'],
    ['an integration without role', credential({ kind: `'integration'` }), 'credentials_role'],
    ['a webapp without redirect URI', credential({ kind: `'webapp'` }), 'credentials_redirect_uri'],
    [
      'a slug that is no host name',
      `INSERT INTO organizations (slug, name) VALUES ('No!', 'x')`,
      'organizations_slug_form',
    ],
    [
      'an email in capitals',
      `INSERT INTO users (organization_id, role_id, email, password_hash) VALUES (1, 1, 'A@b', 'x')`,
      'users_email_lower_case',
    ],
    ['a second access state', `INSERT INTO access_state (id, version) VALUES (2, 1)`, 'access_state_one_row'],
    [
      'a kid that is not 64 hex digits',
      `INSERT INTO signing_keys (kid, state, public_jwk, private_key_encrypted, created_at) VALUES ('x', 'next', '{}', '\\x00', now())`,
      'signing_keys_kid_form',
    ],
  ])('refuses %s', async (_name, statement, constraint) => {
    await expect(runSql(database.url, statement)).rejects.toMatchObject({ constraint })
  })

  it('holds one active signing key at most', async () => {
    const insert = (digit: string) =>
      runSql(
        database.url,
        `INSERT INTO signing_keys (kid, state, public_jwk, private_key_encrypted, created_at)
         VALUES (repeat($1, 64), 'active', '{}', '\\x00', now())`,
        [digit],
      )
    await insert('a')
    await expect(insert('b')).rejects.toMatchObject({ constraint: 'signing_keys_one_active' })
  })
})
