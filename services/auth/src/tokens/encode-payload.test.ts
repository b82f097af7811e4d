import { encodePayload } from './encode-payload.ts'

const decodePlainBase64 = (payload: Uint8Array): unknown =>
  JSON.parse(atob(Buffer.from(payload).toString('base64url'))) as unknown

describe('the payload of a token', () => {
  it('decodes as plain base64 whatever characters the claims hold, at every offset', () => {
    const everyCharacter = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)).join('')
    for (const padding of ['', 'a', 'ab']) {
      const claims = { padding, name: 'Jörg 木 🛒 >?~\u007f', everyCharacter }
      const payload = encodePayload(claims)
      expect(Buffer.from(payload).toString('base64url')).not.toMatch(/[-_]/)
      expect(decodePlainBase64(payload)).toEqual(claims)
    }
  })

  it('is the plain JSON when nothing needs an escape', () => {
    expect(Buffer.from(encodePayload({ scope: 'market:all', exp: 1 })).toString()).toBe(
      '{"scope":"market:all","exp":1}',
    )
  })
})
