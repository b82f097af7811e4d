import { inspect } from 'node:util'
import { Secret } from './secret.ts'

describe('Secret', () => {
  const secret = new Secret('hunter2hunter2')

  it('shows its value only when asked', () => {
    expect(secret.reveal()).toBe('hunter2hunter2')
  })

  it.each([
    ['in a text', String(secret)],
    ['joined', ['a', secret].join()],
    ['as JSON', JSON.stringify({ secret })],
    ['inspected', inspect({ deep: { secret } }, { depth: 9, showHidden: true })],
    ['listed', JSON.stringify([Object.entries(secret), Object.getOwnPropertyNames(secret)])],
    ['copied', JSON.stringify({ ...secret })],
  ])('is hidden %s', (_name, shown) => {
    expect(shown).not.toContain('hunter2')
  })

  it('says that something was there', () => {
    expect(String(secret)).toBe('[redacted]')
    expect(inspect(secret)).toBe('[redacted]')
  })
})
