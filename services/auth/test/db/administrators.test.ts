/** Administrators of one organization at the same moment: nothing half done, nobody acts who may not any more. */
import { createPool } from '@merx/postgres/pool'
import type { Pool, PoolClient } from 'pg'
import { createAdministratorGuard } from '../../src/provisioning/administrator-guard.ts'
import { updateCredential } from '../../src/provisioning/change-credential.ts'
import { createRole } from '../../src/provisioning/create-role.ts'
import type { ProvisioningDeps } from '../../src/provisioning/provisioning-deps.ts'
import { provisionedResources } from '../../src/provisioning/resources/index.ts'
import { createDatabase, type Database } from '../../src/store/prisma-client.ts'
import { createProvisionedReader } from '../../src/store/provisioned-reader.ts'
import { createRecords } from '../../src/store/provisioned-records.ts'
import { requireRowId } from '../../src/store/public-ids.ts'
import { startTestSystem, type TestSystem } from '../support/auth-system.ts'
import {
  clientWith,
  dataOf,
  listOf,
  PASSWORD,
  provisionOther,
  refusalOf,
  signIn,
  type Client,
} from '../support/provisioning.ts'
import { runSql } from '../support/sql.ts'
import { untilSomebodyWaits } from '../support/wait-for-lock.ts'

let system: TestSystem
let pool: Pool
let database: Database
beforeAll(async () => {
  system = await startTestSystem({ name: 'administrators' })
  pool = createPool({
    url: system.databaseUrl,
    maxConnections: 4,
    statementTimeoutMs: 5_000,
    applicationName: 'test',
  })
  database = createDatabase(pool)
})
afterAll(async () => {
  await database.$disconnect()
  await pool.end()
  await system.close()
})

interface Person {
  readonly id: string
  readonly client: Client
}

/** A fresh organization with two administrators and a role without any rights. */
const twoAdministrators = async (slug: string) => {
  const other = await provisionOther(system, slug)
  const { organizationId, adminRoleId, webapp } = other
  const { provisioning } = system.auth
  const email = `second@${slug}.example`
  const second = { organizationId, email, password: PASSWORD, roleId: adminRoleId }
  const { id } = await provisioning.createUser(second)
  const clientOf = async (address: string) =>
    clientWith(system, await signIn(system, { email: address, webapp }))
  const one: Person = { id: other.userId, client: await clientOf(other.email) }
  const two: Person = { id, client: await clientOf(email) }
  return { ...other, one, two }
}

const ROUNDS = 3

/** What another act is in the middle of: `work` ends its transaction. */
const withOtherConnection = async (work: (holder: PoolClient) => Promise<void>): Promise<void> => {
  const holder = await pool.connect()
  try {
    await holder.query('BEGIN')
    await work(holder)
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
}

describe('two administrators', () => {
  it('cannot both take the role from each other: one is always left', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { one, two, customRoleId, organizationId } = await twoAdministrators(`each-other-${round}`)
      const relationships = { role: { data: { type: 'roles', id: customRoleId } } }
      const answers = await Promise.all([
        one.client.patch('users', two.id, { relationships }),
        two.client.patch('users', one.id, { relationships }),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
      const [left] = await runSql<{ count: number }>(
        system.databaseUrl,
        `SELECT count(*)::int AS count FROM users JOIN roles ON roles.id = users.role_id
         WHERE roles.kind = 'admin' AND users.organization_id = ${requireRowId('organizations', organizationId)}`,
      )
      expect(left).toEqual({ count: 1 })
    }
  })

  it('cannot leave by themselves: the last one stays', async () => {
    const { one, two, customRoleId } = await twoAdministrators('leaving')
    const leave = [
      () => one.client.patch('users', one.id, { attributes: { _disable: true } }),
      () => two.client.remove('users', two.id),
    ] as const
    const statuses = (await Promise.all(leave.map((act) => act()))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 423)).toHaveLength(1)
    const last = statuses[0] === 423 ? one : two
    const relationships = { role: { data: { type: 'roles', id: customRoleId } } }
    for (const refused of [
      await last.client.patch('users', last.id, { relationships }),
      await last.client.patch('users', last.id, { attributes: { first_name: 'X', _disable: true } }),
      await last.client.remove('users', last.id),
    ])
      expect(refusalOf(refused)).toEqual({ status: 423, errors: [['LOCKED', undefined]] })
    // What could not stay was rolled back whole.
    const user = dataOf(await last.client.get(`users/${last.id}`))
    expect(user.attributes).toMatchObject({ first_name: '', disabled_at: null })
  })

  it('cannot give the same name twice', async () => {
    const { one, two } = await twoAdministrators('names')
    const make = ({ client }: Person) => client.post('roles', { attributes: { name: 'Same' } })
    const statuses = (await Promise.all([make(one), make(two), make(one), make(two)])).map(
      ({ status }) => status,
    )
    expect(statuses.toSorted()).toEqual([201, 409, 409, 409])
    const user = ({ client }: Person) =>
      client.post('users', {
        attributes: { email: 'same@names.example', password: PASSWORD },
        relationships: { role: { data: { type: 'roles', id: rolesOf[0]?.id } } },
      })
    const rolesOf = listOf(await one.client.get('roles?filter[q][kind_eq]=admin'))
    expect((await Promise.all([user(one), user(two)])).map(({ status }) => status).toSorted()).toEqual([
      201, 409,
    ])
  })

  it('change permissions of one role at the same moment, and all of them stay', async () => {
    const { one, two, customRoleId } = await twoAdministrators('permissions')
    const subjects = ['skus', 'prices', 'markets', 'stores', 'customers', 'addresses']
    const made = await Promise.all(
      subjects.map((subject, at) =>
        (at % 2 === 0 ? one : two).client.post('permissions', {
          attributes: { subject, can_read: true },
          relationships: { role: { data: { type: 'roles', id: customRoleId } } },
        }),
      ),
    )
    expect(made.map(({ status }) => status)).toEqual(subjects.map(() => 201))
    const all = listOf(
      await one.client.get(`permissions?page[size]=25&filter[q][role_id_eq]=${customRoleId}`),
    )
    expect(all.map(({ attributes }) => attributes['subject']).toSorted()).toEqual(
      ['orders', ...subjects].toSorted(),
    )
  })

  it('cannot delete a role while the other gives it away: never a user without one', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { one, two } = await twoAdministrators(`role-${round}`)
      const { id } = dataOf(await one.client.post('roles', { attributes: { name: 'Short' } }))
      const [deleted, given] = await Promise.all([
        one.client.remove('roles', id),
        two.client.patch('users', two.id, { relationships: { role: { data: { type: 'roles', id } } } }),
      ])
      const outcome = [deleted.status, given.status]
      expect([
        [204, 422],
        [423, 200],
      ]).toContainEqual(outcome)
    }
  })
})

describe('a role that goes while something is made with it', () => {
  it.each([
    ['users', { email: 'late@roles.example', password: PASSWORD }],
    ['api_credentials', { name: 'Late', kind: 'integration' }],
  ])('is refused as one that is not there: %s', async (type, attributes) => {
    const { one, organizationId } = await twoAdministrators(`gone-${type.replace('_', '-')}`)
    const { id } = dataOf(await one.client.post('roles', { attributes: { name: 'Gone' } }))
    await withOtherConnection(async (holder) => {
      // As another act does it: the one that makes something waits for it, and the role is gone when it goes on.
      await holder.query('SELECT 1 FROM organizations WHERE id = $1 FOR UPDATE', [
        String(requireRowId('organizations', organizationId)),
      ])
      const made = one.client.post(type, {
        attributes,
        relationships: { role: { data: { type: 'roles', id } } },
      })
      await untilSomebodyWaits(system)
      await holder.query('DELETE FROM roles WHERE id = $1', [String(requireRowId('roles', id))])
      await holder.query('COMMIT')
      expect(refusalOf(await made)).toEqual({
        status: 422,
        errors: [['VALIDATION_ERROR', '/data/relationships/role']],
      })
    })
  })
})

describe('an email that is taken while a user is given it', () => {
  it('is refused as taken', async () => {
    const { one, two, organizationId, adminRoleId } = await twoAdministrators('taken')
    const email = 'taken@taken.example'
    await withOtherConnection(async (holder) => {
      await holder.query(
        `INSERT INTO users (organization_id, role_id, email, password_hash) VALUES ($1, $2, $3, 'none')`,
        [
          String(requireRowId('organizations', organizationId)),
          String(requireRowId('roles', adminRoleId)),
          email,
        ],
      )
      const changed = one.client.patch('users', two.id, { attributes: { email } })
      await untilSomebodyWaits(system)
      await holder.query('COMMIT')
      expect(refusalOf(await changed)).toEqual({
        status: 409,
        errors: [['RECORD_NOT_UNIQUE', '/data/attributes/email']],
      })
    })
  })
})

describe('an act of several parts', () => {
  it.each(['api_credentials', 'users'] as const)(
    'of %s locks as a revocation does, so that neither ends the other',
    async (type) => {
      const { one, two, webapp } = await twoAdministrators(`parts-${type.replace('_', '-')}`)
      const id = type === 'users' ? two.id : webapp.id
      const attributes = { [type === 'users' ? 'first_name' : 'name']: 'Changed', _disable: true }
      await withOtherConnection(async (holder) => {
        await holder.query('SELECT 1 FROM refresh_families FOR UPDATE')
        const changed = one.client.patch(type, id, { attributes })
        await untilSomebodyWaits(system)
        await holder.query('UPDATE access_state SET version = version + 1')
        await holder.query('COMMIT')
        expect((await changed).status).toBe(200)
      })
    },
  )
})

describe('the guard of an act', () => {
  const depsFor = (userId: string, organizationId: string): ProvisioningDeps => ({
    database,
    core: { putEnvironment: () => Promise.resolve(), listRecordTypes: () => Promise.resolve([]) },
    clock: system.clock,
    actor: { kind: 'user', name: 'test', origin: 'test' },
    guard: createAdministratorGuard({ userId, organizationId }),
  })

  it('stops an act in another organization, whatever let it through', async () => {
    const other = await provisionOther(system, 'guarded')
    const deps = depsFor(system.userId, system.organizationId)
    await expect(updateCredential(other.webapp.id, { name: 'mine now' }, deps)).rejects.toThrow(
      'acts in another organization',
    )
    const made = createRole({ organizationId: other.organizationId, name: 'x', kind: 'admin' }, deps)
    await expect(made).rejects.toThrow('acts in another organization')
  })

  it('stops somebody who is no administrator any more, and nothing is left of the act', async () => {
    const { organizationId, userId, adminRoleId } = await provisionOther(system, 'former')
    const { provisioning } = system.auth
    const member = { organizationId, email: 'm@former.example', password: PASSWORD, roleId: adminRoleId }
    await provisioning.createUser(member)
    const deps = depsFor(userId, organizationId)
    await runSql(
      system.databaseUrl,
      `UPDATE users SET disabled_at = now() WHERE id = ${requireRowId('users', userId)}`,
    )
    await expect(createRole({ organizationId, name: 'late', kind: 'custom' }, deps)).rejects.toMatchObject({
      code: 'unauthorized',
    })
    expect(await database.role.count({ where: { name: 'late' } })).toBe(0)
  })
})

describe('what is read', () => {
  it('never has columns of secrets, and has every column of its definition', async () => {
    const reader = createProvisionedReader(provisionedResources, database, system.organizationId)
    const query = { filters: [], sorts: [], page: { number: 1, size: 25 }, include: {} }
    await system.auth.provisioning.createRole({
      ...{ organizationId: system.organizationId, name: 'Read', kind: 'custom' },
      permissions: [{ subject: 'skus', actions: ['read'] }],
    })
    for (const definition of provisionedResources.definitions) {
      const [record] = (await reader.readPage(definition, query)).records
      const columns = Object.keys(record?.row ?? {})
      expect(columns).not.toEqual(expect.arrayContaining([expect.stringMatching(/hash|password|secret/)]))
      const stored = Object.entries(definition.attributes).flatMap(([name, { kind, column, show }]) =>
        ['computed', 'trigger'].includes(kind) || show === 'never' ? [] : [column ?? name],
      )
      expect(columns).toEqual(expect.arrayContaining(stored))
    }
  })

  it('checks again that every row is of the organization, and throws otherwise', () => {
    const definition = provisionedResources.require('roles')
    const records = createRecords(provisionedResources, 1n)
    expect(records.of(definition, { id: 5n, organization_id: 1n }).id).toMatch(/^\w{10}$/)
    expect(() => records.of(definition, { id: 6n, organization_id: 2n })).toThrow('another organization')
  })
})
