import { createOwnHosts, isHost } from './host.ts'

const request = (host: string, localAddress = '::ffff:192.168.1.5') => ({
  protocol: 'https',
  host,
  socket: { localAddress },
})

const hosts = createOwnHosts({ domain: 'Merx.localhost' })

describe('isHost', () => {
  it.each([
    'localhost',
    'localhost:8080',
    'shop.merx.localhost',
    'AUTH.Example.com:443',
    'my_service.svc:3101',
    'xn--caf-dma.example',
    'example.com.',
    '127.0.0.1:8081',
    '[::1]',
    '[2001:db8::ffff:192.0.2.1]:8443',
  ])('accepts %s', (host) => {
    expect(isHost(host)).toBe(true)
  })

  it.each([
    '',
    ':8080',
    'a b',
    'a/b',
    'a.example, b.example',
    'user@a.example',
    'a.example:http',
    'a.example:1:2',
    'a.example:123456',
    'a.example:65536',
    'localhost:99999',
    'a.example?x',
    'a.example#x',
    '"><script>alert(1)</script>',
    '::1',
    '[::1',
    '[localhost]',
    'caf\u00e9.example',
    'a'.repeat(256),
  ])('refuses %p, which no link repeats', (host) => {
    expect(isHost(host)).toBe(false)
    expect(hosts.originOf(request(host), 'shop')).toBe('https://shop.merx.localhost')
  })
})

describe('links', () => {
  it.each([
    'localhost:8080',
    '127.0.0.1:8080',
    '127.9.9.9',
    '[::1]:8080',
    '192.168.1.5:8080',
    'shop.merx.localhost',
    'shop.merx.localhost.',
    'SHOP.merx.localhost:8443',
    'auth.merx.localhost:8081',
  ])('start at %s, which is one of our hosts', (host) => {
    expect(hosts.originOf(request(host), 'shop')).toBe(`https://${host}`)
  })

  it.each([
    'evil.example',
    'localhost.evil.example',
    'merx.localhost.evil.example',
    'evil-merx.localhost',
    'a.b.merx.localhost',
    'merx.localhost',
    '127.0.0.1.evil.example',
    '127.evil.example',
    '192.168.1.6:8080',
  ])('do not start at %s', (host) => {
    expect(hosts.originOf(request(host), 'shop')).toBe('https://shop.merx.localhost')
  })

  it('start at the configured address, whatever the host is', () => {
    const configured = createOwnHosts({ domain: 'merx.localhost', publicUrl: 'https://api.example.com' })
    for (const host of ['localhost', 'shop.merx.localhost', 'evil.example'])
      expect(configured.originOf(request(host), 'shop')).toBe('https://api.example.com')
  })
})

describe('the organization in the host', () => {
  it.each([
    'shop.merx.localhost',
    'Shop.Merx.Localhost:8080',
    'auth.merx.localhost',
    'localhost',
    '127.0.0.1:8080',
  ])('%s is for the organization of the token', (host) => {
    expect(hosts.isFor(request(host), 'shop')).toBe(true)
  })

  it.each([
    'other.merx.localhost',
    'nobody.merx.localhost:8080',
    'OTHER.merx.localhost',
    'other.merx.localhost.',
    'other.merx.localhost.:8080',
  ])('%s is for another one', (host) => {
    expect(hosts.isFor(request(host), 'shop')).toBe(false)
  })

  it('is not looked for in the configured address', () => {
    const configured = createOwnHosts({ domain: 'example.com', publicUrl: 'https://api.example.com' })
    expect(configured.isFor(request('api.example.com'), 'shop')).toBe(true)
    expect(configured.isFor(request('other.example.com'), 'shop')).toBe(false)
  })
})
