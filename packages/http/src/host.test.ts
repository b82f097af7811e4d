import { isHost, originOf } from './host.ts'

describe('a host', () => {
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
  ])('may be %s', (host) => {
    expect(isHost(host)).toBe(true)
    expect(originOf({ protocol: 'https', host })).toBe(`https://${host}`)
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
    'a.example?x',
    'a.example#x',
    '"><script>alert(1)</script>',
    '::1',
    '[::1',
    '[localhost]',
    'caf\u00e9.example',
    'a'.repeat(256),
  ])('cannot be %p, which no answer repeats', (host) => {
    expect(isHost(host)).toBe(false)
    expect(originOf({ protocol: 'http', host })).toBe('http://localhost')
  })
})
