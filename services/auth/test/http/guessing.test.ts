/** Guessing at passwords of customers and at client secrets: what it ends, and whom it leaves alone. */
import { createOpaqueToken } from '../../src/clients/client-secret.ts'
import { clientOf, oauthErrorOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'guessing', rateLimitScale: 1, env: { TRUST_PROXY: '1' } })
})
afterAll(() => system.close())

/** Every window is over, also the minute of the endpoint. */
beforeEach(() => system.clock.advance(3_600))

const from = (ip: string) => ({ 'X-Forwarded-For': ip })

const signIn = (ip: string, password: string, username = 'ann@example.com') =>
  system.token(
    {
      grant_type: 'password',
      client_id: system.credentials.salesChannel.clientId,
      username,
      password,
      scope: 'market:code:europe',
    },
    from(ip),
  )

const ask = (ip: string, secret: string, clientId = system.credentials.integration.clientId) =>
  system.token({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret }, from(ip))

/** The endpoint's own budget, 30 a minute, is not what these tests are about. */
const pause = () => system.clock.advance(2.5)

const repeat = async (count: number, act: (number: number) => Promise<{ status: number }>) => {
  const statuses: number[] = []
  for (let number = 1; number <= count; number += 1) {
    pause()
    statuses.push((await act(number)).status)
  }
  return statuses
}

const expectTooMany = (response: Awaited<ReturnType<typeof signIn>>) => {
  expect(response.status).toBe(429)
  const seconds = Number(response.headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(900)
  expect(oauthErrorOf(response)).toMatchObject({
    error: 'too_many_requests',
    error_description: `Too many wrong attempts; try again in ${seconds} seconds.`,
  })
}

describe('wrong passwords of a customer', () => {
  it.each([
    ['known', 'ann@example.com'],
    ['unknown', 'nobody@example.com'],
  ])(
    'are answered 10 times an address for a %s email, then 429 until the window is over',
    async (_which, email) => {
      const ip = email === 'ann@example.com' ? '192.0.2.1' : '192.0.2.2'
      expect(await repeat(10, () => signIn(ip, 'wrong', email))).toEqual(Array(10).fill(400))
      pause()
      expectTooMany(await signIn(ip, 'wrong', email))
      system.clock.advance(900)
      expect((await signIn(ip, 'wrong', email)).status).toBe(400)
    },
  )

  it('give the same answer, word for word, for a known and an unknown email', async () => {
    const [known, unknown] = [
      await signIn('192.0.2.3', 'wrong'),
      await signIn('192.0.2.3', 'wrong', 'x@y.example'),
    ]
    expect(unknown.body).toEqual(known.body)
    expect(unknown.status).toBe(known.status)
    expect(system.core.calls.filter(({ path }) => path.endsWith('/authenticate')).length).toBeGreaterThan(1)
  })

  it('shut out the right one from that address too, but from no other', async () => {
    await repeat(11, () => signIn('192.0.2.4', 'wrong'))
    pause()
    expectTooMany(await signIn('192.0.2.4', 'correct horse'))
    expect((await signIn('192.0.2.5', 'correct horse')).status).toBe(200)
    expect((await signIn('192.0.2.4', 'battery staple', 'bob@example.com')).status).toBe(200)
  })

  it('are counted alike however the email is written', async () => {
    const spellings = ['ann@example.com', 'ANN@example.com', ' ann@example.com ']
    await repeat(11, (number) => signIn('192.0.2.6', 'wrong', spellings[number % 3]))
    pause()
    expectTooMany(await signIn('192.0.2.6', 'wrong'))
  })

  it('are 10 of 40 that come at once', async () => {
    const { status } = await signIn('192.0.2.7', 'correct horse')
    expect(status).toBe(200)
    system.clock.advance(61)
    const answers = await Promise.all(Array.from({ length: 29 }, () => signIn('192.0.2.7', 'wrong')))
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(10)
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(19)
  })

  it('make the next wait longer', async () => {
    for (const _quarter of [1, 2]) {
      expect(await repeat(10, () => signIn('192.0.2.9', 'wrong'))).toEqual(Array(10).fill(400))
      system.clock.advance(900)
    }
    const refused = await signIn('192.0.2.9', 'correct horse')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(900)
    system.clock.advance(3_600)
    expect((await signIn('192.0.2.9', 'correct horse')).status).toBe(200)
  })

  it('from ten addresses, ten each, do not keep the customer out at another one', async () => {
    for (let number = 1; number <= 10; number += 1)
      await repeat(10, () => signIn(`203.0.113.${number}`, 'wrong'))
    expect((await signIn('198.51.100.9', 'correct horse')).status).toBe(200)
  })

  it('from everywhere leave each address 2 once they are 100, and more where the customer signed in', async () => {
    expect((await signIn('198.51.100.1', 'correct horse')).status).toBe(200)
    const guess = (number: number) => signIn(`203.0.113.${number}`, 'wrong')
    expect(await repeat(100, guess)).toEqual(Array(100).fill(400))
    expect(await repeat(3, () => signIn('203.0.113.101', 'wrong'))).toEqual([400, 400, 429])
    expectTooMany(await signIn('203.0.113.101', 'correct horse'))
    expect((await signIn('203.0.113.102', 'correct horse')).status).toBe(200)
    expect(await repeat(3, () => signIn('198.51.100.1', 'wrong'))).toEqual([400, 400, 400])
    expect((await signIn('198.51.100.1', 'correct horse')).status).toBe(200)
  })

  it('from one IPv6 /48 end at 100, and no other network is kept out', async () => {
    const guess = (number: number) => signIn(`2001:db8:9:${number.toString(16)}::1`, 'wrong')
    expect(await repeat(100, guess)).toEqual(Array(100).fill(400))
    expectTooMany(await signIn('2001:db8:9:ffff::1', 'correct horse'))
    expect((await signIn('2001:db8:a:1::1', 'correct horse')).status).toBe(200)
  })

  it('make core check the next ones with the thread that guessers share', async () => {
    system.core.calls.length = 0
    await repeat(3, (number) => signIn('192.0.2.10', 'wrong', `user${number}@example.com`))
    await signIn('192.0.2.11', 'correct horse')
    const marks = system.core.calls
      .filter(({ path }) => path.endsWith('/authenticate'))
      .map(({ body }) => (body as { is_guessing?: boolean }).is_guessing ?? false)
    expect(marks).toEqual([false, false, true, false])
  })

  it('of many accounts end at 100 an address', async () => {
    const statuses = await repeat(101, (number) => signIn('192.0.2.8', 'wrong', `user${number}@example.com`))
    expect(statuses).toEqual([...Array<number>(100).fill(400), 429])
  })
})

describe('right passwords', () => {
  it('are not counted, however often they come', async () => {
    expect(new Set(await repeat(120, () => signIn('192.0.2.20', 'correct horse')))).toEqual(new Set([200]))
    expect((await signIn('192.0.2.20', 'wrong')).status).toBe(400)
  })

  it('are not counted while core is unavailable', async () => {
    system.core.failWith = 503
    const unavailable = await repeat(20, () => signIn('192.0.2.21', 'correct horse'))
    system.core.failWith = undefined
    expect(new Set(unavailable)).toEqual(new Set([503]))
    pause()
    expect((await signIn('192.0.2.21', 'correct horse')).status).toBe(200)
  })
})

describe('wrong client secrets', () => {
  it('are answered 30 times a client and address, then 429 before the secret is looked at', async () => {
    expect(await repeat(30, () => ask('192.0.2.30', 'wrong'))).toEqual(Array(30).fill(401))
    pause()
    expectTooMany(await ask('192.0.2.30', 'wrong'))
    const { clientSecret } = system.credentials.integration
    expectTooMany(await ask('192.0.2.30', clientSecret))
    expect((await ask('192.0.2.31', clientSecret)).status).toBe(200)
    const { clientId: other, clientSecret: itsSecret } = system.credentials.integrationLive
    expect((await ask('192.0.2.30', itsSecret, other)).status).toBe(200)
    system.clock.advance(900)
    expect((await ask('192.0.2.30', clientSecret)).status).toBe(200)
  })

  it('count at revocation and introspection too', async () => {
    const wrong = { ...clientOf(system.credentials.integration), client_secret: 'wrong', token: 'x' }
    const statuses = await repeat(31, (number) =>
      system.api.post(number % 2 === 0 ? '/oauth/revoke' : '/oauth/introspect', {
        body: wrong,
        headers: from('192.0.2.32'),
      }),
    )
    expect(statuses).toEqual([...Array<number>(30).fill(401), 429])
    pause()
    expectTooMany(await ask('192.0.2.32', system.credentials.integration.clientSecret))
  })

  it('of unknown clients end at 100 an address, in the same words', async () => {
    const statuses = await repeat(101, () => ask('192.0.2.33', 'wrong', createOpaqueToken()))
    expect(statuses).toEqual([...Array<number>(100).fill(401), 429])
    pause()
    expectTooMany(await ask('192.0.2.33', 'wrong', createOpaqueToken()))
  })

  it('are of the address, wherever in its /64 network it moves to', async () => {
    await repeat(31, (number) => ask(`2001:db8:1:2::${number.toString(16)}`, 'wrong'))
    pause()
    expectTooMany(await ask('2001:db8:1:2::ffff', system.credentials.integration.clientSecret))
    expect((await ask('2001:db8:1:3::1', system.credentials.integration.clientSecret)).status).toBe(200)
  })

  it('are not what right secrets are, however many', async () => {
    const { clientSecret } = system.credentials.integration
    expect(new Set(await repeat(120, () => ask('192.0.2.34', clientSecret)))).toEqual(new Set([200]))
  })
})
