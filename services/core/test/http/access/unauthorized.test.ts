/** Requests whose token does not count: they are limited by address, and a token counts only at its organization's host. */
import { createLimiter } from '@merx/rate-limit/create-limiter'
import { createFakeClock } from '@merx/testing/fake-clock'
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

let core: TestCore

beforeAll(async () => {
  const env = { PUBLIC_BASE_URL: '', TRUST_PROXY: '1' }
  core = await openCore('unauthorized', { limiter: createLimiter({ clock: createFakeClock() }) }, env)
})
afterAll(() => core.close())

const from = (address: string, host = 'localhost') => ({ Host: host, 'X-Forwarded-For': address })

describe('invalid tokens', () => {
  it('are answered with 401 up to the budget of the address, then with 429', async () => {
    const headers = from('203.0.113.7')
    for (let sent = 0; sent < 25; sent += 1) {
      expect((await core.get('/api/skus', `forged.token.${sent}`, headers)).status).toBe(401)
    }
    const refused = await core.get('/api/skus', 'forged.token.x', headers)
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('10')
    expect(refused.body).toMatchObject({ errors: [{ code: 'TOO_MANY_REQUESTS' }] })
  })

  it('limit neither a valid token of the same address nor other addresses', async () => {
    expect((await core.get('/api/skus', core.tokens.admin, from('203.0.113.7'))).status).toBe(200)
    expect((await core.get('/api/skus', 'forged.token.y', from('203.0.113.8'))).status).toBe(401)
  })
})

describe('the organization in the host', () => {
  const linkOf = async (host: string) => {
    const { status, body } = await core.get('/api/skus', core.tokens.admin, from('203.0.113.9', host))
    const { links } = body as { links?: { first: string } }
    return [status, links && new URL(links.first).origin]
  }

  it.each(['the-blue-brand.merx.localhost:8443', 'localhost:8080', '127.0.0.1'])(
    'matches the token at %s, and links lead there',
    async (host) => {
      expect(await linkOf(host)).toEqual([200, `http://${host}`])
    },
  )

  it.each(['the-red-brand.merx.localhost', 'nobody.merx.localhost:8080'])(
    'refuses the token of another organization at %s with 401',
    async (host) => {
      expect((await linkOf(host))[0]).toBe(401)
    },
  )

  it('is in links instead of a host that is not ours', async () => {
    expect(await linkOf('evil.example')).toEqual([200, 'https://the-blue-brand.merx.localhost'])
  })
})
