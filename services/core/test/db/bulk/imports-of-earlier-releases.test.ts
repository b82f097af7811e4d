/** What migrations make of imports that an earlier release stored with passwords. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Row } from '@merx/jsonapi/attributes'
import { MIGRATIONS, openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'
import { createSmallShop, insert } from '../support/small-shop.ts'

const PASSWORD = 'a clear password'

let core: CoreDatabase
let environmentId: number
beforeAll(async () => {
  core = await openCoreDatabase('old_imports')
  ;({ environmentId } = await createSmallShop(core.database))
})
afterAll(() => core.drop())

type StoredImport = readonly [type: string, status: string, inputs: readonly object[]]

const store = async (...imports: readonly StoredImport[]): Promise<void> => {
  await core.database.query('DELETE FROM imports')
  for (const [index, [type, status, inputs]] of imports.entries())
    await insert(core.database, 'imports', {
      environment_id: environmentId,
      resource_type: type,
      status,
      inputs: JSON.stringify(inputs),
      inputs_size: inputs.length,
      file_key: `key-${index}`,
      requested_by: '{}',
    })
}

const migrated = async (migration: string): Promise<readonly Row[]> => {
  await core.database.query(readFileSync(path.join(MIGRATIONS, migration, 'migration.sql'), 'utf8'))
  return core.database.query('SELECT status, inputs, errors_log FROM imports ORDER BY id')
}

it('removes clear passwords, and interrupts what had not ended', async () => {
  await store(
    ['customers', 'completed', [{ email: 'a@example.com', password: PASSWORD }, { email: 'b@example.com' }]],
    ['customers', 'pending', [{ email: 'c@example.com' }, { email: 'd@example.com', password: PASSWORD }]],
    ['orders', 'in_progress', [{ customer_email: 'e@example.com', customer_password: PASSWORD }]],
    ['customers', 'pending', [{ email: 'f@example.com' }]],
  )
  const rows = await migrated('20261125120000_imports_without_clear_passwords')
  const interrupted = { import: { base: [expect.stringContaining('import it again') as string] } }
  expect(rows).toEqual([
    {
      status: 'completed',
      inputs: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
      errors_log: {},
    },
    {
      status: 'interrupted',
      inputs: [{ email: 'c@example.com' }, { email: 'd@example.com' }],
      errors_log: interrupted,
    },
    { status: 'interrupted', inputs: [{ customer_email: 'e@example.com' }], errors_log: interrupted },
    { status: 'pending', inputs: [{ email: 'f@example.com' }], errors_log: {} },
  ])
})

it('removes passwords under names that are no attributes', async () => {
  await store(
    ['customers', 'completed', [{ email: 'a@example.com', password: 'sealed', Password: PASSWORD }, {}]],
    [
      'orders',
      'completed',
      [{ customer_password: 'sealed', password: PASSWORD, 'customer.password': PASSWORD }],
    ],
    ['customers', 'pending', [{ customer_password: PASSWORD, metadata: { a: 1 }, has_password: true }]],
    ['skus', 'completed', [{ code: 'password' }]],
  )
  const rows = await migrated('20261125190000_imports_without_misspelt_passwords')
  expect(rows.map(({ status, inputs }) => [status, inputs])).toEqual([
    ['completed', [{ email: 'a@example.com', password: 'sealed', Password: null }, {}]],
    ['completed', [{ customer_password: 'sealed', password: null, 'customer.password': null }]],
    ['pending', [{ customer_password: null, metadata: { a: 1 }, has_password: true }]],
    ['completed', [{ code: 'password' }]],
  ])
})
