/** The command line on whole organizations and on people: what is changed, what is lost, and what is refused. */
import { clientOf, REDIRECT_URI, startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { merxOn } from '../support/run-merx.ts'
import { runSql } from '../support/sql.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'merx_organizations' })
})
afterAll(() => system.close())

const { run, json } = merxOn(() => system)

interface Made {
  readonly id: string
}

const makeOrganization = async (slug: string) => {
  const { id } = await json<Made>(['organizations', 'create', '--slug', slug, '--name', slug])
  await json(['roles', 'create', slug, '--name', 'Admin', '--kind', 'admin'])
  const user = await json<Made>(
    ['users', 'create', slug, '--email', `ann@${slug}.example`, '--role', 'Admin', '--password-stdin'],
    'a good password',
  )
  const kind = ['--kind', 'webapp', '--redirect-uri', REDIRECT_URI]
  const credential = await json<Made>([
    'credentials',
    'create',
    slug,
    '--mode',
    'test',
    '--name',
    'x',
    ...kind,
  ])
  return { id, user, credential }
}

describe('merx organizations create', () => {
  it('makes one although core is unavailable, and says that core was not notified', async () => {
    system.core.failWith = 503
    const made = await run(['organizations', 'create', '--slug', 'alone', '--name', 'Alone'])
    system.core.failWith = undefined
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining('core was not notified') as unknown })
    expect(made.out).toContain('alone')
  })
})

describe('merx organizations update', () => {
  it('changes the claims of later tokens, and notifies core', async () => {
    await makeOrganization('early')
    system.core.calls.length = 0
    const changes = ['--name', 'Late', '--slug', 'late', '--enterprise', '--region', 'eu-south-1']
    expect(await json(['organizations', 'update', 'early', ...changes])).toMatchObject({
      ...{ name: 'Late', slug: 'late', enterprise: true, region: 'eu-south-1' },
    })
    expect(system.core.calls.map(({ body }) => (body as { slug: string }).slug)).toEqual(['late', 'late'])
    expect((await run(['organizations', 'show', 'early'])).code).toBe(1)
    expect(await json(['organizations', 'update', 'late', '--no-enterprise'])).toMatchObject({
      enterprise: false,
    })
  })

  it('asks before a slug changes', async () => {
    await makeOrganization('asked')
    const rename = ['organizations', 'update', 'asked', '--slug', 'renamed']
    const refused = await run(rename, { answer: 'n' })
    expect(refused).toMatchObject({ code: 1, asked: [expect.stringContaining('host name')] })
    expect((await run(rename, { answer: 'y' })).code).toBe(0)
  })

  it.each([
    [['organizations', 'update', 'shop'], 2, 'Say what to change'],
    [['organizations', 'update', 'shop', '--slug', 'No!', '--yes'], 2, 'slug - must be'],
    [['organizations', 'update', 'shop', '--region', 'No!'], 2, 'region - must be'],
    [['organizations', 'update', 'nobody', '--name', 'x'], 1, "no organization 'nobody'"],
    [['organizations', 'create', '--slug', 'shop', '--name', 'x'], 1, "an organization 'shop' already"],
    [['roles', 'create', 'shop', '--name', 'Admin', '--kind', 'admin'], 1, "a role 'Admin' already"],
  ])('%j ends with %d and says why', async (args, code, message) => {
    expect(await run(args)).toMatchObject({ code, err: expect.stringContaining(message) as unknown })
  })

  it('says that core keeps the old name when it cannot be notified', async () => {
    await makeOrganization('quiet')
    const rename = ['organizations', 'update', 'quiet', '--name', 'Loud']
    expect((await run(rename, { env: { CORE_INTERNAL_URL: '' } })).err).toContain('core was not notified')
  })
})

describe('merx organizations delete', () => {
  const remove = (slug: string, options: Parameters<typeof run>[1] = {}) =>
    run(['organizations', 'delete', slug, '--yes'], options)

  it('is refused while a credential is enabled, or core has records, or cannot be asked', async () => {
    const { credential } = await makeOrganization('kept')
    expect(await remove('kept')).toMatchObject({
      code: 1,
      err: expect.stringContaining('1 credentials of') as unknown,
    })
    await json(['credentials', 'disable', credential.id])
    system.core.shop.record_types = ['orders', 'skus']
    expect(await remove('kept')).toMatchObject({
      code: 1,
      err: expect.stringContaining('orders, skus') as unknown,
    })
    system.core.shop.record_types = []
    const without = await remove('kept', { env: { CORE_INTERNAL_URL: '' } })
    expect(without).toMatchObject({ code: 2, err: expect.stringContaining('CORE_INTERNAL_URL') as unknown })
    system.core.failWith = 503
    expect((await remove('kept')).code).toBe(1)
    system.core.failWith = undefined
    expect((await run(['organizations', 'show', 'kept'])).code).toBe(0)
  })

  it('says what is lost, and then takes all of it and ends what is left of its tokens', async () => {
    const { id, user, credential } = await makeOrganization('ended')
    await json(['credentials', 'disable', credential.id])
    const asked = await run(['organizations', 'delete', 'ended'], { answer: 'no' })
    expect(asked.asked[0]).toContain('1 users, 1 roles and 1 disabled credentials go with it')
    expect((await run(['organizations', 'delete', 'ended'])).code).toBe(2)
    expect(await json(['organizations', 'delete', 'ended'])).toMatchObject({ id, slug: 'ended' })
    expect((await run(['organizations', 'show', id])).code).toBe(1)
    expect((await run(['credentials', 'show', credential.id])).code).toBe(1)
    const ended = await runSql<{ subject_type: string }>(
      system.databaseUrl,
      `SELECT subject_type FROM access_changes WHERE revoked_before > '9000-01-01' ORDER BY state_version DESC LIMIT 2`,
    )
    expect(ended.map(({ subject_type: type }) => type).toSorted()).toEqual(['application', 'user'])
    const events = await json<{ action: string; subject: { id: string } }[]>(['audit', '--limit', '1'])
    expect(events[0]).toMatchObject({ action: 'organization.delete', subject: { id } })
    expect(user.id).toMatch(/^\w{10}$/)
    // What was done to it, and what its clients asked for, is found by its id.
    const ofIt = await json<{ action: string }[]>(['audit', '--organization', id])
    expect(ofIt.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['organization.delete', 'user.create']),
    )
    expect(await json(['tokens', 'events', '--organization', id])).toEqual([])
    expect((await run(['audit', '--organization', 'nobody'])).code).toBe(1)
    // The name is free again, and it is another organization.
    expect((await makeOrganization('ended')).id).not.toBe(id)
  })
})

describe('a list that is longer than is shown', () => {
  it('says that there may be more, with --json too', async () => {
    await makeOrganization('crowd')
    const short = await run(['users', 'list', 'crowd'])
    expect([short.code, short.err]).toEqual([0, ''])
    await runSql(
      system.databaseUrl,
      `INSERT INTO users (organization_id, role_id, email, password_hash)
       SELECT organization_id, role_id, number || '@crowd.example', password_hash
       FROM users, generate_series(1, 1000) AS number WHERE email = 'ann@crowd.example'`,
    )
    for (const more of [[], ['--json']]) {
      const { code, out, err } = await run(['users', 'list', 'crowd', ...more])
      expect([code, err]).toEqual([0, 'merx: These are the first 1000; there may be more.\n'])
      if (more.length > 0) expect(JSON.parse(out)).toHaveLength(1_000)
    }
  })
})

describe('merx users', () => {
  const argumentsOf = (name: string) => ['users', name, 'shop']

  it('changes an email and a time zone', async () => {
    const { id } = await json<Made>(
      [...argumentsOf('create'), '--email', 'eve@shop.example', '--role', 'Admin', '--password-stdin'],
      'a good password',
    )
    const changes = ['--email', 'Eva@shop.example', '--time-zone', 'Europe/Rome']
    expect(await json([...argumentsOf('update'), id, ...changes])).toMatchObject({
      ...{ email: 'eva@shop.example', time_zone: 'Europe/Rome' },
    })
    const bad = await run([...argumentsOf('update'), id, '--time-zone', 'Mars/Base', '--email', 'x'])
    expect(bad).toMatchObject({ code: 2, err: expect.stringContaining('time_zone - must be') as unknown })
    expect(bad.err).toContain('email - must be')
    const taken = await run([...argumentsOf('update'), id, '--email', 'owner@shop.example'])
    expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('already') as unknown })
  })

  it('deletes one, whose tokens end and whose email is free again', async () => {
    const create = [
      ...argumentsOf('create'),
      '--email',
      'gone@shop.example',
      '--role',
      'Admin',
      '--password-stdin',
    ]
    const { id } = await json<Made>(create, 'a good password')
    expect((await run([...argumentsOf('delete'), id])).code).toBe(2)
    expect(await json([...argumentsOf('delete'), 'gone@shop.example'])).toMatchObject({ id })
    expect((await run([...argumentsOf('show'), id])).code).toBe(1)
    expect((await json<Made>(create, 'a good password')).id).not.toBe(id)
    const assertion = { grant_type: 'client_credentials', ...clientOf(system.credentials.integration) }
    expect((await system.token(assertion)).status).toBe(200)
  })
})
