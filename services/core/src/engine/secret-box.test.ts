import { createSecretBox } from './secret-box.ts'

const box = createSecretBox('a secret of at least 32 characters')

describe('a sealed value', () => {
  it('is opened by every process with the same key, and differs each time', () => {
    const sealed = box.seal({ a: 1 })
    expect(createSecretBox('a secret of at least 32 characters').open(sealed)).toEqual({ a: 1 })
    expect(box.seal({ a: 1 })).not.toBe(sealed)
    expect(() => createSecretBox('another secret').open(sealed)).toThrow()
  })
})

describe('a derived secret', () => {
  it('is the same for the same seed and key only', () => {
    const secret = box.derive('seed')
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(createSecretBox('a secret of at least 32 characters').derive('seed')).toBe(secret)
    expect(box.derive('seed2')).not.toBe(secret)
    expect(createSecretBox('another secret').derive('seed')).not.toBe(secret)
  })
})
