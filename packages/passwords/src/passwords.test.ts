import { argon2Sync } from 'node:crypto'
import { AppError } from '@merx/errors/app-error'
import {
  hashPassword,
  HASHES_AT_ONCE,
  HASHES_WAITING_MAX,
  isPasswordOf,
  NEW_AT_ONCE,
  NEW_WAITING_MAX,
  PASSWORD_BYTES_MAX,
  passwordWork,
  GUESSES_AT_ONCE,
  GUESSES_WAITING_MAX,
} from './passwords.ts'
import { formatPhc } from './phc-string.ts'

/** How many hashes an act costs. */
const workOf = async (act: () => Promise<unknown>): Promise<number> => {
  const before = passwordWork().computed
  await act()
  return passwordWork().computed - before
}

describe('a password', () => {
  it('is stored as argon2id with 19 MiB, 2 passes and 1 lane, under a salt of its own', async () => {
    const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(other).not.toBe(one)
    expect(await isPasswordOf(one, 'correct horse')).toBe(true)
    expect(await isPasswordOf(one, 'correct horse ')).toBe(false)
    expect(await isPasswordOf(one, '')).toBe(false)
  })

  // Made by @node-rs/argon2 2.2.1, which wrote the hashes of earlier releases.
  it.each([
    [
      'correct horse battery staple',
      '$argon2id$v=19$m=19456,t=2,p=1$0XBH+M3iRavLdrDZD39rBA$ubEtHD8SHxaD/kA/z6rVL6WufuWeK8WqNc1FVmo4/PI',
    ],
    [
      'Jörg 🔑',
      '$argon2id$v=19$m=19456,t=2,p=1$qsTO+2NdGDYqAE3hgP3eMw$xj/Te4vsJ6XEVLx2PtcxB5WqU2TYrWDkUJM73rY35j0',
    ],
  ])('%j is right for a hash of an earlier release', async (password, stored) => {
    expect(await isPasswordOf(stored, password)).toBe(true)
    expect(await isPasswordOf(stored, `${password}.`)).toBe(false)
  })

  it('is checked with the cost its hash names', async () => {
    // Made with argon2id, m=64, t=1, p=2: cheaper than ours.
    const cheap =
      '$argon2id$v=19$m=64,t=1,p=2$c29tZXNhbHRzb21lc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    expect(await isPasswordOf(cheap, 'secret')).toBe(false)
  })

  it('costs one hash, whether there is somebody of that name or not', async () => {
    const stored = await hashPassword('correct horse')
    expect(await workOf(() => isPasswordOf(stored, 'wrong'))).toBe(1)
    expect(await workOf(() => isPasswordOf(stored, 'correct horse'))).toBe(1)
    for (const nobody of [undefined, null]) {
      expect(await workOf(() => isPasswordOf(nobody, 'wrong'))).toBe(1)
      expect(await isPasswordOf(nobody, '')).toBe(false)
    }
  })

  it('of more bytes than allowed is refused before any work', async () => {
    const long = 'ü'.repeat(PASSWORD_BYTES_MAX / 2 + 1)
    await expect(hashPassword(long)).rejects.toThrow('at most 4096 bytes')
    expect(await workOf(() => isPasswordOf(undefined, long).catch(() => false))).toBe(0)
  })
})

describe('a password with letters of several forms', () => {
  const [composed, decomposed] = ['p\u00e4ssword', 'pa\u0308ssword']

  it('is the same in each form, whichever it was set in', async () => {
    for (const set of [composed, decomposed]) {
      const stored = await hashPassword(set)
      for (const typed of [composed, decomposed]) expect(await isPasswordOf(stored, typed)).toBe(true)
      expect(await isPasswordOf(stored, 'password')).toBe(false)
    }
  })

  it('fits a hash that an earlier release made of what was typed', async () => {
    // argon2id of the decomposed form, m=64, t=1, p=1.
    const salt = Buffer.from('somesaltsomesalt')
    const tag = argon2Sync('argon2id', {
      message: Buffer.from(decomposed),
      nonce: salt,
      ...{ memory: 64, passes: 1, parallelism: 1, tagLength: 32 },
    })
    const stored = formatPhc({ cost: { memory: 64, passes: 1, lanes: 1 }, salt, tag })
    expect(await isPasswordOf(stored, decomposed)).toBe(true)
    expect(await isPasswordOf(stored, composed)).toBe(false)
  })

  it('costs as much for nobody as for somebody', async () => {
    const stored = await hashPassword('correct horse')
    expect(await workOf(() => isPasswordOf(stored, decomposed))).toBe(2)
    expect(await workOf(() => isPasswordOf(undefined, decomposed))).toBe(2)
  })
})

describe('a flood of passwords', () => {
  it('is worked off two at a time, and what would wait too long is refused with Retry-After', async () => {
    const cheap =
      '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    const room = HASHES_AT_ONCE + HASHES_WAITING_MAX
    const flood = Promise.allSettled(Array.from({ length: room + 20 }, () => isPasswordOf(cheap, 'x')))
    await Promise.resolve()
    expect(passwordWork().running).toBeLessThanOrEqual(HASHES_AT_ONCE)
    expect(passwordWork().waiting).toBeLessThanOrEqual(room)
    const refusals = (await flood).flatMap((each) =>
      each.status === 'rejected' ? [each.reason as unknown] : [],
    )
    expect(refusals.length).toBeGreaterThanOrEqual(20)
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(AppError)
      expect(refusal).toMatchObject({
        code: 'service_unavailable',
        level: 'info',
        headers: { 'Retry-After': '1' },
      })
    }
    expect(passwordWork()).toMatchObject({ running: 0, waiting: 0 })
    expect(await isPasswordOf(cheap, 'x')).toBe(false)
  })

  it('that are set leaves a thread and the whole queue to sign-ins', async () => {
    const stored = await hashPassword('correct horse')
    const set = Promise.allSettled(Array.from({ length: 100 }, () => hashPassword('another')))
    await Promise.resolve()
    expect(passwordWork().running).toBeLessThanOrEqual(NEW_AT_ONCE)
    const signIns = Array.from({ length: HASHES_WAITING_MAX / 2 }, () =>
      isPasswordOf(stored, 'correct horse'),
    )
    expect(new Set(await Promise.all(signIns))).toEqual(new Set([true]))
    const refused = (await set).filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(100 - NEW_AT_ONCE - NEW_WAITING_MAX)
  })

  it('of background work waits, however long, and refuses nobody', async () => {
    const stored = await hashPassword('correct horse')
    const before = passwordWork().computed
    const hashes = Array.from({ length: HASHES_WAITING_MAX + 10 }, (_, index) =>
      hashPassword(`password ${index}`, { isBackground: true }),
    )
    expect(await isPasswordOf(stored, 'correct horse')).toBe(true)
    expect(passwordWork().computed - before).toBeLessThan(10)
    expect(new Set(await Promise.all(hashes)).size).toBe(HASHES_WAITING_MAX + 10)
  })

  it('of guessers leaves a thread and most of the queue to everyone else', async () => {
    const stored = await hashPassword('correct horse')
    const guesses = Promise.allSettled(
      Array.from({ length: 200 }, () => isPasswordOf(stored, 'wrong', { isGuessing: true })),
    )
    await Promise.resolve()
    expect(passwordWork().running).toBeLessThanOrEqual(GUESSES_AT_ONCE)
    const honest = Array.from({ length: HASHES_WAITING_MAX / 2 }, () => isPasswordOf(stored, 'correct horse'))
    expect(new Set(await Promise.all(honest))).toEqual(new Set([true]))
    const refused = (await guesses).filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(200 - GUESSES_AT_ONCE - GUESSES_WAITING_MAX)
  })
})
