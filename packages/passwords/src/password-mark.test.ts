import { passwordMarkOf } from './password-mark.ts'
import { hashPassword } from './passwords.ts'

describe('the mark of a password', () => {
  it('is another one for each hash, also of the same password, and shows nothing of it', async () => {
    const hashes = [await hashPassword('correct horse'), await hashPassword('correct horse')]
    const marks = [...hashes, null].map(passwordMarkOf)
    expect(new Set(marks).size).toBe(3)
    for (const mark of marks) expect(mark).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(passwordMarkOf(hashes[0] ?? '')).toBe(marks[0])
  })
})
