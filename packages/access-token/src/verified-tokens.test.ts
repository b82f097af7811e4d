import type { VerifiedToken } from './verified-tokens.ts'
import { createVerifiedTokens } from './verified-tokens.ts'

const verified = (kid: string): VerifiedToken => ({
  kid,
  issuedAt: new Date(0),
  caller: {
    tokenId: kid,
    organization: { id: 'o', slug: 's' },
    mode: 'test',
    application: { id: 'a', clientId: 'c', kind: 'integration', isPublic: false, isConfidential: true },
    scope: '',
    expiresAt: new Date(0),
  },
})

describe('verified tokens', () => {
  it('never holds more than its bound and forgets what was used longest ago', () => {
    const tokens = createVerifiedTokens(3)
    for (const name of ['a', 'b', 'c']) tokens.remember(name, verified(name))
    tokens.find('a')
    for (const name of ['d', 'e']) tokens.remember(name, verified(name))
    expect(tokens.size).toBe(3)
    expect(['a', 'b', 'c', 'd', 'e'].filter((name) => tokens.find(name)?.kid === name)).toEqual([
      'a',
      'd',
      'e',
    ])
  })

  it('stays bounded over many tokens', () => {
    const tokens = createVerifiedTokens(100)
    for (let index = 0; index < 5000; index += 1) tokens.remember(`token-${index}`, verified(`${index}`))
    expect(tokens.size).toBe(100)
    tokens.forget('token-4999')
    expect(tokens.size).toBe(99)
  })
})
