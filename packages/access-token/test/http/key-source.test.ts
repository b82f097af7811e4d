import type { RequestListener } from 'node:http'
import { AppError } from '@merx/errors/app-error'
import { listen } from '@merx/http/listen'
import { cleanUpAfterEach } from '@merx/testing/clean-up'
import { eventually } from '@merx/testing/eventually'
import { createFakeClock } from '@merx/testing/fake-clock'
import type { FakeClock } from '@merx/testing/fake-clock'
import { createTokenMint } from '@merx/testing/mint-token'
import type { TokenMint } from '@merx/testing/mint-token'
import { createVerifier } from '../../src/verifier.ts'
import type { Verifier } from '../../src/verifier.ts'

const afterwards = cleanUpAfterEach()
const START = '2026-01-15T12:00:00.000Z'

let old: TokenMint
let next: TokenMint
let clock: FakeClock
let verifier: Verifier
/** What auth answers at the moment. */
let answer: { status: number; body: string }
let fetched: number
let closeAuth: () => Promise<void>

beforeAll(async () => {
  const fixed = createFakeClock(START)
  old = await createTokenMint({ clock: fixed })
  next = await createTokenMint({ clock: fixed })
})

const publish = (...mints: TokenMint[]): void => {
  answer = { status: 200, body: JSON.stringify({ keys: mints.flatMap((mint) => mint.keySet.keys) }) }
}

beforeEach(async () => {
  publish(old)
  fetched = 0
  const auth: RequestListener = (_request, response) => {
    fetched += 1
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.body)
  }
  const listening = await listen(auth, { host: '127.0.0.1', port: 0 })
  closeAuth = () => listening.close()
  afterwards(closeAuth)
  clock = createFakeClock(START)
  verifier = createVerifier({ jwksUrl: `${listening.url}/.well-known/jwks.json`, issuer: old.issuer, clock })
})

const codeOf = async (verifying: Promise<unknown>): Promise<string> => {
  try {
    await verifying
    return 'accepted'
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

describe('keys from auth', () => {
  it('are fetched once for many tokens, also for many at once', async () => {
    const tokens = await Promise.all(Array.from({ length: 10 }, () => old.mint()))
    await Promise.all(tokens.map((token) => verifier.verify(token)))
    await verifier.verify(await old.mint())
    expect(fetched).toBe(1)
  })

  it('pick up a new kid with the first token signed by it, and keep the old one', async () => {
    await verifier.verify(await old.mint())
    publish(old, next)
    clock.advance(1)
    expect(await codeOf(verifier.verify(await next.mint()))).toBe('accepted')
    expect(await codeOf(verifier.verify(await old.mint()))).toBe('accepted')
    expect(fetched).toBe(2)
  })

  it('are requested at most once a second for tokens with invented kids', async () => {
    for (let sent = 0; sent < 20; sent += 1)
      expect(await codeOf(verifier.verify(await next.mint()))).toBe('invalid_token')
    expect(fetched).toBe(1)
    clock.advance(1)
    for (let sent = 0; sent < 20; sent += 1) await codeOf(verifier.verify(await next.mint()))
    expect(fetched).toBe(2)
  })

  it('verify old and new tokens while auth is unavailable', async () => {
    const token = await old.mint()
    await verifier.verify(token)
    await closeAuth()
    clock.advance(3600)
    expect(await codeOf(verifier.verify(token))).toBe('accepted')
    expect(await codeOf(verifier.verify(await old.mint()))).toBe('accepted')
  })

  it('leave a token of an unknown key undecided while auth is unavailable', async () => {
    await verifier.verify(await old.mint())
    await closeAuth()
    clock.advance(5)
    expect(await codeOf(verifier.verify(await next.mint()))).toBe('service_unavailable')
  })

  it.each([
    ['an error', { status: 500, body: '{}' }],
    ['something that is not JSON', { status: 200, body: '<html>' }],
    ['something that is no key set', { status: 200, body: '{"keys":[{"kid":"x"}]}' }],
    ['far too much', { status: 200, body: JSON.stringify({ keys: [], fill: 'x'.repeat(262_144) }) }],
  ])('leave every token undecided when the first answer is %s, and recover', async (_title, broken) => {
    answer = broken
    const token = await old.mint()
    expect(await codeOf(verifier.verify(token))).toBe('service_unavailable')
    publish(old)
    clock.advance(1)
    expect(await codeOf(verifier.verify(token))).toBe('accepted')
  })

  it('refuse tokens of a key that auth withdrew, cached ones too', async () => {
    const token = await old.mint()
    await verifier.verify(token)
    publish(next)
    clock.advance(61)
    await verifier.verify(await next.mint())
    expect(await codeOf(verifier.verify(token))).toBe('invalid_token')
  })

  it('are looked up again behind a request once a minute, so that a withdrawn key is noticed', async () => {
    await verifier.verify(await old.mint())
    publish(next)
    clock.advance(61)
    const token = await old.mint()
    await eventually(async () => (await codeOf(verifier.verify(token))) === 'invalid_token')
    expect(fetched).toBe(2)
  })

  it('of other kinds in the set do no harm', async () => {
    const { keys } = old.keySet
    const others = [
      { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'ec' },
      { kty: 'RSA', n: 'x', e: 'AQAB' },
      { ...keys[0], use: 'enc', kid: 'enc' },
    ]
    answer = { status: 200, body: JSON.stringify({ keys: [...others, ...keys] }) }
    expect(await codeOf(verifier.verify(await old.mint()))).toBe('accepted')
  })
})
