import { readAccessToken } from './access-token.ts'

const STORED = { token: 'a.b.c', tokenId: 'jti', kid: 'key', issuedAtSeconds: 100, expiresAtSeconds: 200 }

const read = (more: object) => readAccessToken(JSON.stringify({ ...STORED, ...more }))

describe('a token that was stored for reuse', () => {
  it('is read as it was written, without what this release does not know', () => {
    expect(read({})).toStrictEqual(STORED)
    expect(read({ signedInAtSeconds: 90, news: 1 })).toStrictEqual({ ...STORED, signedInAtSeconds: 90 })
    expect(read({ signedInAtSeconds: '90' })).toStrictEqual(STORED)
  })

  it.each(['token', 'tokenId', 'kid', 'issuedAtSeconds', 'expiresAtSeconds'])(
    'is none without a right %s',
    (name) => {
      expect(read({ [name]: undefined })).toBeUndefined()
      expect(read({ [name]: null })).toBeUndefined()
      expect(read({ [name]: name.endsWith('Seconds') ? '100' : 100 })).toBeUndefined()
    },
  )

  it.each([0.5, 2 ** 53])('is none of the second %d', (seconds) => {
    expect(read({ issuedAtSeconds: seconds })).toBeUndefined()
    expect(read({ expiresAtSeconds: seconds })).toBeUndefined()
  })

  it.each(['', 'not json', 'null', '"text"', '5'])('is none in %j', (text) => {
    expect(readAccessToken(text)).toBeUndefined()
  })
})
