import { AppError } from '@merx/errors/app-error'
import { codeUrl, errorUrl } from './answer-url.ts'
import { parseChallenge } from './authorization-request.ts'

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

describe('PKCE', () => {
  it('is taken with S256, from public and confidential clients', () => {
    expect(parseChallenge(CHALLENGE, 'S256', true)).toBe(CHALLENGE)
    expect(parseChallenge(CHALLENGE, 'S256', false)).toBe(CHALLENGE)
  })

  it('may be left out by confidential clients, and never by public ones', () => {
    expect(parseChallenge(undefined, undefined, false)).toBeUndefined()
    expect(() => parseChallenge(undefined, undefined, true)).toThrow(
      new AppError('invalid_request', {
        detail: 'Public applications must send code_challenge (PKCE, method S256).',
      }),
    )
  })

  it.each([
    [CHALLENGE, 'plain'],
    [CHALLENGE, undefined],
    [CHALLENGE, 's256'],
    [undefined, 'S256'],
    [`${CHALLENGE}=`, 'S256'],
    [CHALLENGE.slice(1), 'S256'],
    [`${CHALLENGE.slice(1)}+`, 'S256'],
  ])('is refused as %s with method %s', (challenge, method) => {
    expect(() => parseChallenge(challenge, method, false)).toThrow(AppError)
  })
})

describe('the answer to the application', () => {
  const issuer = 'https://auth.example'

  it.each([
    ['https://a.example/cb', 'https://a.example/cb?code=c&iss=https%3A%2F%2Fauth.example'],
    ['https://a.example/cb?x=1', 'https://a.example/cb?x=1&code=c&iss=https%3A%2F%2Fauth.example'],
    ['com.example.app:/cb', 'com.example.app:/cb?code=c&iss=https%3A%2F%2Fauth.example'],
    [
      'https://a.example/ü\r\nX: y',
      'https://a.example/%C3%BC%0D%0AX:%20y?code=c&iss=https%3A%2F%2Fauth.example',
    ],
  ])('keeps %j as it is, and stays one line of ASCII', (redirectUri, url) => {
    expect(codeUrl({ redirectUri }, 'c', issuer)).toBe(url)
  })

  it('describes an error in the characters RFC 6749 allows', () => {
    const error = new AppError('invalid_scope', { detail: 'The scope "ü\\" is unknown.' })
    const url = new URL(errorUrl({ redirectUri: 'https://a.example/cb', state: 's' }, error, issuer))
    expect(Object.fromEntries(url.searchParams)).toEqual({
      error: 'invalid_scope',
      error_description: "The scope '?/' is unknown.",
      state: 's',
      iss: issuer,
    })
  })
})
