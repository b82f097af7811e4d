/** The command line on the database of a running service. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { eventually } from '@merx/testing/eventually'
import { Client } from 'pg'
import { startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { environmentOf, merxOn } from '../support/run-merx.ts'
import { untilSomebodyWaits } from '../support/wait-for-lock.ts'

const ENTRY = fileURLToPath(new URL('../../src/cli/merx.ts', import.meta.url))

let system: TestSystem
let folder: string
beforeAll(async () => {
  system = await startTestSystem({ name: 'merx' })
  folder = mkdtempSync(path.join(tmpdir(), 'merx cli '))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await system.close()
})

const { run, json } = merxOn(() => system)

interface Made {
  id: string
  client_id: string
  client_secret?: string
  disabled_at: string | null
  expires_in: number
}

describe('merx', () => {
  it('makes an organization with role, user and credential, whose secret gets a token', async () => {
    await json(['organizations', 'create', '--slug', 'acme', '--name', 'Acme'])
    expect(system.core.calls.some(({ body }) => (body as { slug?: string }).slug === 'acme')).toBe(true)
    await json(['roles', 'create', 'acme', '--name', 'Desk', '--kind', 'custom', '--allow', 'orders:read'])
    const user = await json<{ password?: string; role: { name: string } }>(
      ['users', 'create', 'acme', '--email', 'Bob@acme.example', '--role', 'Desk', '--password-stdin'],
      'a good password\n',
    )
    expect(user.role.name).toBe('Desk')
    expect(user).not.toHaveProperty('password')
    const made = await json<Made>([
      'credentials',
      'create',
      'acme',
      '--mode',
      'test',
      '--kind',
      'integration',
      '--name',
      'ERP',
      '--role',
      'Desk',
    ])
    const { status } = await system.token({
      grant_type: 'client_credentials',
      client_id: made.client_id,
      client_secret: made.client_secret,
    })
    expect(status).toBe(200)
    const shown = await run(['credentials', 'show', made.id])
    expect(shown.out).toContain(made.client_id)
    expect(shown.out).not.toContain(made.client_secret)
  })

  it('changes, disables, enables and deletes a credential, and the running service follows', async () => {
    const id = system.credentials.integration.id
    expect((await json<Made>(['credentials', 'update', id, '--lifetime', '86400'])).expires_in).toBe(86_400)
    const { client_secret: secret } = await json<Made>(['credentials', 'rotate-secret', id, '--yes'])
    const ask = () =>
      system.token({
        grant_type: 'client_credentials',
        client_id: system.credentials.integration.clientId,
        client_secret: secret,
      })
    await eventually(async () => (await ask()).status === 200)
    const first = (await ask()).body as { access_token: string; expires_in: number }
    expect(first.expires_in).toBe(86_400)
    expect((await json<Made>(['credentials', 'disable', id, '--yes'])).disabled_at).not.toBeNull()
    await eventually(async () => (await ask()).status === 401)
    const inspected = await run(['tokens', 'inspect', '-'], { input: first.access_token })
    // The service of this test has a clock of its own, in the past.
    expect(inspected.out).toMatch(/status +expired/)
    expect((await json<Made>(['credentials', 'enable', id])).disabled_at).toBeNull()
    await json(['credentials', 'delete', id, '--yes'])
    expect((await run(['credentials', 'show', id])).code).toBe(1)
  })

  it('gives a credential the lifetime of its kind again', async () => {
    const { id } = system.credentials.webapp
    expect((await json<Made>(['credentials', 'update', id, '--lifetime', '86400'])).expires_in).toBe(86_400)
    expect((await json<Made>(['credentials', 'update', id, '--lifetime', 'default'])).expires_in).toBe(7_200)
  })

  it('finds a role however its name is spaced, and makes no second one', async () => {
    const slug = 'shop'
    const made = await json<Made>(['roles', 'create', slug, '--name', 'Night desk', '--kind', 'custom'])
    expect((await json<Made>(['roles', 'show', slug, ' Night  desk '])).id).toBe(made.id)
    const again = await run(['roles', 'create', slug, '--name', ' Night  desk', '--kind', 'custom'])
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("a role 'Night desk' already")])
    const renamed = await run(['roles', 'update', slug, 'Admin', '--name', 'Night  desk'])
    expect([renamed.code, renamed.err]).toEqual([1, expect.stringContaining("a role 'Night desk' already")])
  })

  it('revokes a token by its id, for the running service too', async () => {
    const body = {
      grant_type: 'client_credentials',
      client_id: system.credentials.integrationLive.clientId,
      client_secret: system.credentials.integrationLive.clientSecret,
    }
    const { access_token: token } = (await system.token(body)).body as { access_token: string }
    const { jti } = JSON.parse(atob(token.split('.')[1] ?? '')) as { jti: string }
    expect(await json(['tokens', 'revoke', jti, '--yes'])).toEqual({
      type: 'access_token',
      id: jti,
      revoked: true,
    })
    await eventually(
      async () => ((await system.token(body)).body as { access_token: string }).access_token !== token,
    )
  })

  it('rotates keys: the next one is published at once, and a second rotation is refused until later', async () => {
    const before = await json<{ state: string }[]>(['keys', 'list'])
    expect(before.map(({ state }) => state)).toEqual(['active'])
    const { kid } = await json<{ kid: string }>(['keys', 'rotate'])
    await eventually(async () =>
      JSON.stringify((await system.api.get('/.well-known/jwks.json')).body).includes(kid),
    )
    const again = await run(['keys', 'rotate'])
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('under way') as unknown })
    const foreign = await run(['keys', 'rotate'], { env: { SERVICE_KEY: 'quite another secret' } })
    expect(foreign).toMatchObject({
      code: 1,
      err: expect.stringContaining('KEY_ENCRYPTION_SECRET') as unknown,
    })
  })

  it('tells who did it, and never a secret', async () => {
    const made = await json<Made>([
      'credentials',
      'create',
      'shop',
      '--mode',
      'test',
      '--kind',
      'sales_channel',
      '--name',
      'Front',
    ])
    const ran = await run(['audit', '--subject', made.id, '--json'])
    expect(JSON.parse(ran.out)).toMatchObject([
      { action: 'credential.create', actor: { kind: 'operator', name: 'ann' }, subject: { id: made.id } },
    ])
    expect((await run(['audit', '--json', '--limit', '1000'])).out).not.toContain(made.client_secret)
  })

  it('asks before it destroys, and needs --yes where nobody can answer', async () => {
    const { id } = system.credentials.webapp
    for (const args of [['disable'], ['delete'], ['rotate-secret']]) {
      const ran = await run(['credentials', ...args, id])
      expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('--yes') as unknown, out: '' })
    }
    expect((await json<Made>(['credentials', 'show', id])).disabled_at).toBeNull()
  })
})

describe('the process', () => {
  it('is started as a person or a script does it', async () => {
    const env = { PATH: process.env['PATH'], ...environmentOf(system) }
    const child = spawn(process.execPath, [ENTRY, 'tokens', 'inspect', '-', '--json'], { env })
    child.stdin.end('no token of ours\n')
    const ended = once(child, 'exit')
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(await ended).toEqual([1, null])
    expect(out).toBe('')
    expect(JSON.parse(err)).toMatchObject({ errors: [{ code: 'record_not_found' }] })
  })
})

describe('help', () => {
  it.each([
    '',
    'organizations',
    'organizations create',
    'organizations update',
    'organizations delete',
    'users',
    'users update',
    'users delete',
    'roles update',
    'credentials',
    'credentials create',
    'keys rotate',
    'tokens inspect',
    'audit',
  ])('of "merx %s" ends with examples and is no failure', async (line) => {
    const args = line.split(' ').filter((word) => word !== '')
    const ran = await run([...args, '--help'], { env: { AUTH_DATABASE_URL: '' } })
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toContain('Examples:\n  merx ')
  })
})

describe('a change that another stands in the way of', () => {
  it('says to try again', async () => {
    await json<Made>(['roles', 'create', 'shop', '--name', 'Busy', '--kind', 'custom'])
    const other = new Client({ connectionString: system.databaseUrl })
    await other.connect()
    try {
      // As it is when somebody is given the role: first the role, then the version; a new name takes them the other way round.
      await other.query(`BEGIN; SELECT 1 FROM roles WHERE name = 'Busy' FOR KEY SHARE`)
      const renamed = run(['roles', 'update', 'shop', 'Busy', '--name', 'Quiet'])
      await untilSomebodyWaits(system)
      await other.query('UPDATE access_state SET version = version + 1; COMMIT')
      expect(await renamed).toMatchObject({
        code: 1,
        out: '',
        err: 'merx: Another change was under way; nothing was changed. Try again.\n',
      })
    } finally {
      await other.end()
    }
  })
})

describe('every command', () => {
  /** The names that help lists under "Commands:". */
  const commandsIn = (help: string): readonly string[] => {
    const [, list = ''] = /^Commands:\n((?: {2}.*\n?)+)/m.exec(help) ?? []
    return [...list.matchAll(/^ {2}([a-z-]+)/gm)].flatMap(([, name = '']) => (name === 'help' ? [] : [name]))
  }

  it('has help with examples, at every level', async () => {
    const seen: string[] = []
    const without: string[] = []
    const visit = async (path: readonly string[]): Promise<void> => {
      const { code, out } = await run([...path, '--help'], { env: { AUTH_DATABASE_URL: '' } })
      seen.push(path.join(' '))
      if (code !== 0 || !out.includes('Examples:\n  merx ')) without.push(path.join(' '))
      for (const name of commandsIn(out)) await visit([...path, name])
    }
    await visit([])
    expect(seen).toEqual(expect.arrayContaining(['users disable', 'tokens events', 'metrics rebuild']))
    expect(without).toEqual([])
  })

  it.each([[['--json']], [['credentials', '--json']], [['tokens', '--json']]])(
    'that is not named is asked for as JSON with --json: %j',
    async (args) => {
      const ran = await run(args)
      expect(ran).toMatchObject({ code: 2, out: '' })
      expect(JSON.parse(ran.err)).toMatchObject({ errors: [{ code: 'usage' }] })
    },
  )
})

describe('wrong usage', () => {
  it.each([
    [[], 'Usage: merx'],
    [['nonsense'], "unknown command 'nonsense'"],
    [['credentials', 'create', 'shop'], "required option '--mode <mode>'"],
    [['credentials', 'update', 'x', '--lifetime', '100'], 'from 7200 to 1296000'],
    [['credentials', 'update', 'x'], 'Say what to change'],
    [['organizations', 'create', '--slug', 'No!', '--name', 'x'], 'slug - must be'],
    [['users', 'create', 'shop', '--email', 'z@x', '--role', 'Admin'], '--password-stdin'],
  ])('%j ends with 2 and says what is wrong', async (args, message) => {
    const ran = await run(args)
    expect(ran).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) as unknown })
  })

  it('is printed as JSON with --json', async () => {
    const ran = await run(['credentials', 'update', 'x', '--lifetime', '100', '--json'])
    expect(JSON.parse(ran.err)).toMatchObject({ errors: [{ code: 'usage' }] })
    const missing = await run(['credentials', 'show', 'x', '--json'])
    expect(missing.code).toBe(1)
    expect(JSON.parse(missing.err)).toMatchObject({ errors: [{ code: 'record_not_found' }] })
  })
})

describe('the connection', () => {
  const fromFolder = (args: readonly string[]) =>
    run(args, { env: { AUTH_DATABASE_URL: '', MERX_DATA_DIR: folder } })

  it('comes from the system that runs on the data folder', async () => {
    const none = await fromFolder(['keys', 'list'])
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('npm start') as unknown })
    const file = path.join(folder, 'connection.json')
    const environment = { AUTH_DATABASE_URL: system.databaseUrl }
    writeFileSync(file, JSON.stringify({ pid: process.pid, environment }), { mode: 0o600 })
    expect((await fromFolder(['organizations', 'list'])).out).toContain('shop')
    // No process has this number: a file that kill -9 left behind.
    writeFileSync(file, JSON.stringify({ pid: 2 ** 30, environment }))
    expect(await fromFolder(['keys', 'list'])).toMatchObject({
      code: 1,
      err: expect.stringContaining(`No system is running on ${folder}`) as unknown,
    })
    writeFileSync(file, '{')
    expect((await fromFolder(['keys', 'list'])).err).toContain('damaged')
  })

  it('may be in files, as a container has it', async () => {
    const fileWith = (name: string, content: string): string => {
      const file = path.join(folder, name)
      writeFileSync(file, `${content}\n`, { mode: 0o600 })
      return file
    }
    const { AUTH_DATABASE_URL: url = '', SERVICE_KEY: key = '' } = environmentOf(system)
    const env = {
      ...{ AUTH_DATABASE_URL: '', SERVICE_KEY: '', MERX_DATA_DIR: folder },
      AUTH_DATABASE_URL_FILE: fileWith('database_url', url),
      SERVICE_KEY_FILE: fileWith('service_key', key),
    }
    expect(await run(['organizations', 'list'], { env })).toMatchObject({ code: 0, err: '' })
  })

  it('to a database that is unavailable, or was never migrated, gives one clear sentence', async () => {
    const env = { AUTH_DATABASE_URL: 'postgresql://127.0.0.1:1/x' }
    expect(await run(['keys', 'list'], { env })).toMatchObject({
      code: 1,
      err: 'merx: The database of AUTH_DATABASE_URL does not answer.\n',
    })
    const url = new URL(system.databaseUrl)
    url.pathname = '/postgres'
    expect((await run(['keys', 'list'], { env: { AUTH_DATABASE_URL: url.href } })).err).toContain(
      'has not been migrated',
    )
  })
})
