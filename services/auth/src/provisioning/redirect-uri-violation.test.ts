import { redirectUriViolation } from './redirect-uri-violation.ts'

describe('a redirect URI', () => {
  it.each([
    'https://app.example/cb?x=1&lang=en',
    'https://app.example',
    'http://localhost:3000/cb',
    'http://shop.localhost:8080/cb',
    'http://127.0.0.1:49152/cb',
    'http://[::1]:49152/cb',
    'com.example.app:/cb',
    'com.example.app://cb?x=1',
  ])('may be %s', (uri) => {
    expect(redirectUriViolation(uri)).toBeUndefined()
  })

  it.each([
    ['', 'must be an absolute URI of at most 2048 characters'],
    ['/cb', 'must be an absolute URI'],
    [`https://a/${'x'.repeat(2_048)}`, 'must be an absolute URI'],
    ['https://a/#x', 'must have no fragment'],
    ['https://a/#', 'must have no fragment'],
    ['com.example.app:/cb#x', 'must have no fragment'],
  ])('is absolute, and has no fragment: %j', (uri, violation) => {
    expect(redirectUriViolation(uri)).toContain(violation)
  })

  it.each([
    'http://app.example/cb',
    'http://127.0.0.1.example/cb',
    'http://localhost.example/cb',
    'http://notlocalhost/cb',
    'http://localhost@app.example/cb',
    'http://192.168.0.1/cb',
  ])('does not leave the machine unencrypted: %s (RFC 9700 2.6)', (uri) => {
    expect(redirectUriViolation(uri)).toBe(
      'must not use the scheme http, except with the host 127.0.0.1, [::1], localhost or *.localhost',
    )
  })

  it.each([
    'ws://app.example/cb',
    'wss://app.example/cb',
    'ftp://app.example/cb',
    'about:blank',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://app.example/1',
    'mailto:a@example.com',
    'localhost:3000/cb',
    'app:/cb',
  ])('has no scheme that is not of an app: %s (RFC 8252 7.1)', (uri) => {
    const scheme = uri.slice(0, uri.indexOf(':')).toLowerCase()
    expect(redirectUriViolation(uri)).toMatch(`must not use the scheme ${scheme}; allowed: https, `)
  })

  it.each(['https:app.example', 'https:/app.example', 'https:///app.example', 'https:\\\\app.example'])(
    'names its host as one reads it: %s',
    (uri) => {
      expect(redirectUriViolation(uri)).toBe('must be written https://<host>')
    },
  )

  it.each([
    ['https://*.example/', "must have no '*'"],
    ['https://ok.example/*', "must have no '*'"],
    ['https://user:pw@ok.example/', 'must have no user name or password'],
    ['https://@ok.example/', 'must have no user name or password'],
    ['com.example.app://user@x/cb', 'must have no user name or password'],
    ['https://./', 'must have a host name'],
    ['https://-/', 'must have a host name'],
    ['https://a..b/', 'must have a host name'],
    ['https://under_score.example/', 'must have a host name'],
    ['https://ok.example/\\..', 'must have no backslash'],
    ['mailto.x:/a', 'must not use the scheme mailto.x'],
  ])('leads to one real host: %s', (uri, violation) => {
    expect(redirectUriViolation(uri)).toContain(violation)
  })

  it.each([
    ' https://a/cb',
    'https://a/cb ',
    'https://a/c b',
    'https://a/c\tb',
    'https://a/c\nb',
    'java\nscript:alert(1)',
    'https://a/c\u0000b',
    'https://a/\u202Ebc',
    'https://a/\u200Bbc',
    'https://a/\uD800',
  ])('has nothing that cannot be seen: %j', (uri) => {
    expect(redirectUriViolation(uri)).toBe('must have no white space or control characters')
  })

  it.each(['code', 'state', 'iss', 'error', 'error_description'])(
    'leaves %s to the answer (RFC 6749 3.1)',
    (name) => {
      const violation = `must have no '${name}' in its query: the answer adds it`
      expect(redirectUriViolation(`https://a/cb?x=1&${name}=1`)).toBe(violation)
      expect(redirectUriViolation(`com.example.app:/cb?${name}`)).toBe(violation)
      expect(redirectUriViolation(`https://a/${name}?x_${name}=${name}`)).toBeUndefined()
    },
  )
})
