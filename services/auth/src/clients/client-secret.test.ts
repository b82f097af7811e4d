import { createOpaqueToken, hashOpaqueToken, isClientIdShaped, isSecretOf } from './client-secret.ts'

describe('opaque tokens', () => {
  it('are 43 base64url characters and never alike', () => {
    const tokens = Array.from({ length: 1_000 }, createOpaqueToken)
    expect(tokens.every((token) => /^[A-Za-z0-9_-]{43}$/.test(token))).toBe(true)
    expect(new Set(tokens).size).toBe(1_000)
  })

  it('are recognized by their hash, and nothing else is', () => {
    const token = createOpaqueToken()
    expect(isSecretOf(hashOpaqueToken(token), token)).toBe(true)
    for (const other of ['', token.slice(1), `${token} `, token.toLowerCase() + 'x']) {
      expect(isSecretOf(hashOpaqueToken(token), other)).toBe(false)
    }
  })

  it.each(['', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}=`, `${'a'.repeat(42)}\0`])(
    'are distinguished from %j by their form',
    (text) => {
      expect(isClientIdShaped(text)).toBe(false)
    },
  )
})
