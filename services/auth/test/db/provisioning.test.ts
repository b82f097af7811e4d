/** Provisioning on a real database: what is created once, what every time, and what is refused. */
import { AppErrors } from '@merx/errors/app-error'
import { isPasswordOf } from '@merx/passwords/passwords'
import { startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { runSql } from '../support/sql.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'provisioning' })
})
afterAll(() => system.close())

const violationsOf = async (act: Promise<unknown>) => {
  try {
    await act
  } catch (error) {
    if (error instanceof AppErrors) return error.errors.map(({ source }) => source?.pointer)
    throw error
  }
  throw new Error('nothing was refused')
}

describe('an organization', () => {
  it('is created once for a slug, also by ten callers at once', async () => {
    const { provisioning } = system.auth
    const made = await Promise.all(
      Array.from({ length: 10 }, () => provisioning.createOrganization({ slug: 'acme', name: 'Acme' })),
    )
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect(await provisioning.findOrganization('acme')).toEqual(made[0])
    expect(await provisioning.findOrganization('nobody')).toBeUndefined()
  })

  it('is made known to core in both modes', async () => {
    system.core.calls.length = 0
    const { id } = await system.auth.provisioning.createOrganization({ slug: 'new', name: 'New' })
    expect(system.core.calls.map(({ method, path, body }) => ({ method, path, body }))).toEqual(
      ['test', 'live'].map((mode) => ({
        method: 'PUT',
        path: '/internal/environments',
        body: { organization_id: id, mode, slug: 'new', name: 'New' },
      })),
    )
  })

  it('needs a slug and a name', async () => {
    expect(
      await violationsOf(system.auth.provisioning.createOrganization({ slug: 'No!', name: '' })),
    ).toEqual(['/data/attributes/slug', '/data/attributes/name'])
  })
})

describe('a role', () => {
  it('is created once for a name', async () => {
    const { organizationId } = system
    const one = await system.auth.provisioning.createRole({ organizationId, name: 'Admin', kind: 'admin' })
    expect(one.id).toBe(system.adminRoleId)
  })

  it('is the same however its name is spaced', async () => {
    const input = { organizationId: system.organizationId, kind: 'custom' } as const
    const { id } = await system.auth.provisioning.createRole({ ...input, name: ' Cafe\u0301  desk ' })
    expect(await system.auth.provisioning.createRole({ ...input, name: 'Caf\u00e9 desk' })).toEqual({ id })
  })

  it.each([
    [
      'permissions on an admin role',
      { kind: 'admin', permissions: [{ subject: 'skus', actions: ['read'] }] },
    ],
    ['a subject that is no type', { kind: 'custom', permissions: [{ subject: 'SKUs!', actions: ['read'] }] }],
    [
      'the same subject twice',
      {
        kind: 'custom',
        permissions: [
          { subject: 'skus', actions: ['read'] },
          { subject: 'skus', actions: [] },
        ],
      },
    ],
    [
      '501 permissions',
      {
        kind: 'custom',
        permissions: Array.from({ length: 501 }, (_, index) => ({ subject: `s${index}`, actions: [] })),
      },
    ],
  ] as const)('is refused with %s', async (_name, role) => {
    const input = { organizationId: system.organizationId, name: 'Odd', ...role }
    expect(await violationsOf(system.auth.provisioning.createRole(input))).toEqual([
      '/data/attributes/permissions',
    ])
  })
})

describe('a user', () => {
  it('is created once for an email, whatever its case, with an argon2id hash', async () => {
    const { organizationId, adminRoleId: roleId } = system
    const user = { organizationId, roleId, email: 'OWNER@shop.EXAMPLE', password: 'another password' }
    expect(await system.auth.provisioning.createUser(user)).toEqual({ id: system.userId })
    const [row] = await runSql<{ password_hash: string }>(
      system.databaseUrl,
      'SELECT password_hash FROM users',
    )
    expect(row?.password_hash).toMatch(/^\$argon2id\$/)
    expect(await isPasswordOf(row?.password_hash, 'a good password')).toBe(true)
  })

  it('is refused with a short password, a bad email, or the role of another organization', async () => {
    const { provisioning } = system.auth
    const user = {
      organizationId: system.organizationId,
      roleId: system.adminRoleId,
      email: 'a@b',
      password: 'long enough',
    }
    expect(
      await violationsOf(provisioning.createUser({ ...user, email: 'x', password: 'short', firstName: ' ' })),
    ).toEqual(['/data/attributes/email', '/data/attributes/password', '/data/attributes/first_name'])
    const { id: organizationId } = await provisioning.createOrganization({
      slug: 'elsewhere',
      name: 'Elsewhere',
    })
    expect(await violationsOf(provisioning.createUser({ ...user, organizationId }))).toEqual([
      '/data/relationships/role',
    ])
  })
})

describe('a credential', () => {
  const make = (changes: object) =>
    system.auth.provisioning.createCredential({
      organizationId: system.organizationId,
      mode: 'test',
      kind: 'sales_channel',
      name: 'x',
      ...changes,
    })

  it('is a new one at each call, with an id and a secret of 43 characters', async () => {
    const [one, two] = [await make({}), await make({})]
    expect(one.clientId).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(one.clientSecret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(new Set([one.clientId, two.clientId, one.clientSecret, two.clientSecret]).size).toBe(4)
  })

  it.each([
    ['a lifetime of 7199 s', { expiresIn: 7_199 }, 'attributes/expires_in'],
    ['a lifetime of 1296001 s', { expiresIn: 1_296_001 }, 'attributes/expires_in'],
    ['a role on a sales channel', { roleId: 'xxxxxxxxxx' }, 'relationships/role'],
    ['an integration without role', { kind: 'integration' }, 'relationships/role'],
    ['a webapp without redirect URI', { kind: 'webapp' }, 'attributes/redirect_uri'],
    [
      'a redirect URI with a fragment',
      { kind: 'webapp', redirectUri: 'https://a/#b' },
      'attributes/redirect_uri',
    ],
    ['no name', { name: '' }, 'attributes/name'],
  ])('is refused with %s', async (_name, changes, field) => {
    expect(await violationsOf(make(changes))).toEqual([`/data/${field}`])
  })

  it('is refused with the role of another organization', async () => {
    const { provisioning } = system.auth
    const { id: organizationId } = await provisioning.createOrganization({ slug: 'third', name: 'Third' })
    const change = { organizationId, kind: 'integration', roleId: system.adminRoleId }
    expect(await violationsOf(make(change))).toEqual(['/data/relationships/role'])
  })
})
