import { startConsole, type TestConsole } from '../support/console-system.ts'

let system: TestConsole
beforeAll(async () => {
  system = await startConsole()
})
afterAll(() => system.close())

const get = (path: string, method = 'GET') => system.openBrowser().send(method, path)

describe('the page', () => {
  it.each(['/', '/console'])('is where %s leads', async (path) => {
    const answer = await get(path)
    expect([answer.status, answer.headers['location']]).toEqual([303, '/console/'])
  })

  it.each(['/console/', '/console/orders', '/console/orders/xYz?a=b', '/console/nothing'])(
    'is at %s, read again each time',
    async (path) => {
      const { status, headers, text } = await get(path)
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ])
      expect(text).toContain('<title>Console</title>')
    },
  )

  it('admits no inline code, no eval, no other origin, no frame, no form', async () => {
    const policy = (await get('/console/')).headers['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:|blob:/)
  })

  it('has files that never change, since their names do', async () => {
    const { status, headers } = await get('/console/assets/index-a1b2.js')
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ])
  })

  it.each(['nothing.js', '..%2findex.html', '__proto__'])(
    'has no file %s, and says so in JSON',
    async (name) => {
      const { status, headers } = await get(`/console/assets/${name}`)
      expect([status, headers['content-type']]).toEqual([404, 'application/vnd.api+json'])
    },
  )

  it('is for GET and HEAD', async () => {
    expect((await get('/console/', 'POST')).headers['allow']).toBe('GET, HEAD')
    const head = await get('/console/', 'HEAD')
    expect([head.status, head.text]).toEqual([200, ''])
  })
})
