/** What a new password of a user ends: everything that was begun with the old one, wherever it is at that moment. */
import { Secret } from '@merx/config/secret'
import { createInternalClient } from '@merx/http/internal-client'
import { eventually } from '@merx/testing/eventually'
import { inProcessClient, type InProcessResponse } from '@merx/testing/in-process-client'
import { silentLogger } from '@merx/testing/silent-logger'
import { createCoreClient, type Core } from '../../src/core/core-client.ts'
import {
  assertionOf,
  claimsOf,
  clientOf,
  SERVICE_KEY,
  startTestSystem,
  type TestSystem,
} from '../support/auth-system.ts'
import { openFollower, type Follower } from '../support/open-follower.ts'
import { clientWith, consent, exchange, PASSWORD, signIn, type Client } from '../support/provisioning.ts'
import { merxOn } from '../support/run-merx.ts'
import { runSql } from '../support/sql.ts'

let system: TestSystem
let follower: Follower
let administrator: Client
const merx = merxOn(() => system)

beforeAll(async () => {
  system = await startTestSystem({ name: 'new_password' })
  follower = await openFollower(system)
  administrator = clientWith(system, await signIn(system, { email: 'owner@shop.example' }))
})
afterAll(async () => {
  await follower.close()
  await system.close()
})

let people = 0
const person = async () => {
  people += 1
  const email = `person${people}@shop.example`
  const { organizationId, adminRoleId: roleId } = system
  const { id } = await system.auth.provisioning.createUser({
    ...{ organizationId, roleId, email, password: PASSWORD },
  })
  return { id, email }
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

const tokensOf = (response: InProcessResponse): Tokens => {
  if (response.status !== 200) throw new Error(`no tokens: ${response.text}`)
  return response.body as Tokens
}

const signedIn = async (email: string, api = system.api, password = PASSWORD): Promise<Tokens> => {
  const { webapp } = system.credentials
  const code = await consent({ ...system, api }, { email, password })
  return tokensOf(await exchange(api, code, webapp))
}

const refresh = (refreshToken: string, api = system.api) =>
  api.post('/oauth/token', {
    body: {
      grant_type: 'refresh_token',
      ...clientOf(system.credentials.webapp),
      refresh_token: refreshToken,
    },
  })

const isAccepted = (token: string): Promise<boolean> =>
  follower.verifier.verify(token).then(
    () => true,
    () => false,
  )

const untilRefused = (token: string): Promise<true> => eventually(async () => !(await isAccepted(token)))

const newPassword = (id: string, password = 'another password') =>
  administrator.patch('users', id, { attributes: { password } })

describe('a new password', () => {
  it.each([
    ['over HTTP', ({ id }: { id: string }) => newPassword(id)],
    [
      'with merx',
      ({ email }: { email: string }) =>
        merx.json(['users', 'update', 'shop', email, '--password-stdin'], 'another password\n'),
    ],
    ['that is the same again', ({ id }: { id: string }) => newPassword(id, PASSWORD)],
  ])('%s ends refresh tokens, access tokens and codes of the user', async (_name, change) => {
    const user = await person()
    const tokens = await signedIn(user.email)
    const code = await consent(system, user)
    await change(user)
    expect((await refresh(tokens.refresh_token)).body).toMatchObject({ error: 'invalid_grant' })
    await untilRefused(tokens.access_token)
    const exchanged = await exchange(system.api, code, system.credentials.webapp)
    expect(exchanged.body).toMatchObject({
      error: 'invalid_grant',
      error_description: expect.stringContaining('another password') as unknown,
    })
  })

  it('ends tokens of JWT bearer assertions for the user too, and lets a new one be asked for', async () => {
    const { id } = await person()
    const ask = async () =>
      tokensOf(
        await system.token({
          grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
          ...clientOf(system.credentials.webapp),
          assertion: assertionOf({ owner: { type: 'User', id } }),
        }),
      )
    const before = await ask()
    await newPassword(id)
    await untilRefused(before.access_token)
    expect((await refresh(before.refresh_token)).status).toBe(400)
    const after = await ask()
    expect(after.access_token).not.toBe(before.access_token)
    expect(await isAccepted(after.access_token)).toBe(true)
  })

  it('gives tokens at once to whoever signs in with it', async () => {
    const { id, email } = await person()
    const before = await signedIn(email)
    await newPassword(id)
    await untilRefused(before.access_token)
    const after = await signedIn(email, system.api, 'another password')
    expect(await isAccepted(after.access_token)).toBe(true)
    expect((await refresh(after.refresh_token)).status).toBe(200)
  })

  it('leaves other users their tokens', async () => {
    const [one, other] = [await person(), await person()]
    const tokens = await signedIn(other.email)
    const own = await signedIn(one.email)
    await newPassword(one.id)
    await untilRefused(own.access_token)
    expect(await isAccepted(tokens.access_token)).toBe(true)
    expect((await refresh(tokens.refresh_token)).status).toBe(200)
  })

  it('is in the audit log with the number of sign-ins it ended, and without the password', async () => {
    const { id, email } = await person()
    await signedIn(email)
    await signedIn(email)
    await newPassword(id)
    const [event] = await runSql<{ action: string; details: object }>(
      system.databaseUrl,
      'SELECT action, details FROM audit_events WHERE subject_id = $1 ORDER BY id DESC LIMIT 1',
      [id],
    )
    expect(event).toEqual({
      action: 'user.update',
      details: { email, password_changed: true, refresh_families_ended: 2 },
    })
  })
})

describe('a PATCH without a password', () => {
  it('leaves all tokens and codes as they are', async () => {
    const user = await person()
    const tokens = await signedIn(user.email)
    const code = await consent(system, user)
    const attributes = { first_name: 'Ann', email: `new-${user.email}`, time_zone: 'Europe/Rome' }
    expect((await administrator.patch('users', user.id, { attributes })).status).toBe(200)
    await follower.state.requireLoaded()
    expect(await isAccepted(tokens.access_token)).toBe(true)
    expect((await refresh(tokens.refresh_token)).status).toBe(200)
    expect((await exchange(system.api, code, system.credentials.webapp)).status).toBe(200)
  })
})

describe('a disabled user', () => {
  it('stays cut off when given a new password, until enabled', async () => {
    const { id, email } = await person()
    const { access_token: token } = await signedIn(email)
    await administrator.patch('users', id, { attributes: { _disable: true } })
    await newPassword(id)
    system.clock.advance(5)
    await untilRefused(token)
    const [change] = await runSql<{ year: string }>(
      system.databaseUrl,
      `SELECT extract(year FROM revoked_before)::text AS year FROM access_changes
       WHERE subject_type = 'user' ORDER BY state_version DESC LIMIT 1`,
    )
    expect(change).toEqual({ year: '9999' })
    await administrator.patch('users', id, { attributes: { _enable: true } })
    const after = await signedIn(email, system.api, 'another password')
    expect(await isAccepted(after.access_token)).toBe(true)
  })
})

describe('a new password at the same moment as', () => {
  it('many refreshes on two replicas leaves no token alive that came of the old one', async () => {
    const replicas = [system.api, follower.api]
    for (let round = 0; round < 3; round += 1) {
      const { id, email } = await person()
      const signIns: Tokens[] = []
      for (let count = 0; count < 6; count += 1) signIns.push(await signedIn(email))
      const refreshes = signIns.map(({ refresh_token: token }, index) => refresh(token, replicas[index % 2]))
      const [changed, ...answers] = await Promise.all([newPassword(id), ...refreshes])
      expect(changed.status).toBe(200)
      expect(answers.filter(({ status }) => ![200, 400].includes(status))).toEqual([])
      const given = answers.filter(({ status }) => status === 200).map(tokensOf)
      for (const tokens of [...signIns, ...given]) {
        await untilRefused(tokens.access_token)
        expect((await refresh(tokens.refresh_token)).status).toBe(400)
      }
    }
  })

  it('a replica whose clock is ahead gives tokens ends these as well', async () => {
    const ahead = { now: () => new Date(system.clock.now().getTime() + 5_000) }
    const api = inProcessClient((await system.another({ clock: ahead })).app)
    const { id, email } = await person()
    const tokens = await signedIn(email, api)
    const { access_token: later } = tokensOf(await refresh(tokens.refresh_token, api))
    await newPassword(id)
    await untilRefused(tokens.access_token)
    await untilRefused(later)
  })

  it('an exchange that looked at the user before it gives nothing', async () => {
    const key = new Secret(SERVICE_KEY)
    const client = createInternalClient({ url: system.core.url, key, timeoutMs: 5_000, log: silentLogger })
    const core = createCoreClient(client)
    const asked = Promise.withResolvers<undefined>()
    const goOn = Promise.withResolvers<undefined>()
    /** Asked between the look at the user and the token. */
    const resolveScope: Core['resolveScope'] = async (...question) => {
      asked.resolve(undefined)
      await goOn.promise
      return core.resolveScope(...question)
    }
    const slow = inProcessClient((await system.another({ core: { ...core, resolveScope } })).app)
    const user = await person()
    const code = await consent(system, { ...user, scope: 'market:code:europe' })
    const exchanging = exchange(slow, code, system.credentials.webapp)
    await asked.promise
    await newPassword(user.id)
    system.clock.advance(5) // so that the token is issued after the cut-off
    goOn.resolve(undefined)
    const answer = await exchanging
    expect(answer.body).toMatchObject({ error: 'invalid_grant' })
    expect(answer.text).not.toContain('access_token')
    const families = await runSql(system.databaseUrl, 'SELECT 1 FROM refresh_families WHERE owner_id = $1', [
      user.id,
    ])
    expect(families).toEqual([])
  })

  it('an exchange whose tokens were made before it revokes them', async () => {
    const user = await person()
    const code = await consent(system, user)
    const [exchanged] = await Promise.all([
      exchange(follower.api, code, system.credentials.webapp),
      newPassword(user.id),
    ])
    if (exchanged.status !== 200) {
      expect(exchanged.text).toMatch(/"invalid_grant"/)
      return
    }
    expect(claimsOf(exchanged)).toMatchObject({ owner: { id: user.id } })
    await untilRefused(tokensOf(exchanged).access_token)
    expect((await refresh(tokensOf(exchanged).refresh_token)).status).toBe(400)
  })
})
