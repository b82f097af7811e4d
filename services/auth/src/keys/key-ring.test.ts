import { Secret } from '@merx/config/secret'
import { createFakeClock, type FakeClock } from '@merx/testing/fake-clock'
import { silentLogger } from '@merx/testing/silent-logger'
import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from 'jose'
import { SYSTEM_ACTOR } from '../audit/audit-event.ts'
import { createKeyEncryption } from './key-encryption.ts'
import { createKeyRing } from './key-ring.ts'
import { ForeignSecret, rotateKeys } from './rotation.ts'
import type { NewSigningKey, SigningKeyState, SigningKeyStore, StoredSigningKey } from './signing-key.ts'

const SECRET = new Secret('a secret of enough length')

const memoryStore = () => {
  let keys: StoredSigningKey[] = []
  const insert = (key: NewSigningKey, state: SigningKeyState, at: Date, activatesAt: Date): boolean => {
    if (keys.some((known) => known.state === state)) return false
    keys.push({ ...key, state, createdAt: at, activatesAt })
    return true
  }
  const store: SigningKeyStore = {
    listPublished: async (at) =>
      keys.filter(({ removableAt }) => removableAt === undefined || removableAt > at),
    insertFirstActive: async (key, at) => void insert(key, 'active', at, at),
    insertNext: async (key, { at, activatesAt }) => insert(key, 'next', at, activatesAt),
    activateNext: async (_at, removableAt) => {
      keys = keys.map((key) =>
        key.state === 'next' ? { ...key, state: 'active' } : { ...key, state: 'retired', removableAt },
      )
      return true
    },
    withdraw: async ({ kid }, { successor, at }) => {
      const key = keys.find((known) => known.kid === kid)
      if (key === undefined) return 'unknown'
      const next = keys.find(({ state }) => state === 'next')
      if (key.state === 'active' && next === undefined && successor === undefined) return 'needs_successor'
      keys = keys.filter((known) => known !== key)
      if (key.state !== 'active') return 'withdrawn'
      if (next !== undefined)
        keys = keys.map((known) => (known === next ? { ...next, state: 'active' } : known))
      else if (successor !== undefined) insert(successor, 'active', at, at)
      return 'withdrawn'
    },
  }
  return store
}

const ringOn = (store: SigningKeyStore, secret = SECRET, clock = createFakeClock()) =>
  createKeyRing({
    store,
    encryption: createKeyEncryption(secret),
    bits: 2_048,
    clock,
    log: silentLogger,
  })

const payload = new TextEncoder().encode('{"a":1}')

describe('sealed private keys', () => {
  const encryption = createKeyEncryption(SECRET)
  const plain = new TextEncoder().encode('private')

  it('open with the same secret and context only', () => {
    const sealed = encryption.seal(plain, 'kid')
    expect(encryption.open(sealed, 'kid')).toEqual(plain)
    expect(() => encryption.open(sealed, 'other')).toThrow()
    expect(() => createKeyEncryption(new Secret('another secret, as long')).open(sealed, 'kid')).toThrow()
  })

  it('do not open once a byte was changed', () => {
    const sealed = encryption.seal(plain, 'kid')
    for (const index of [0, 12, 28, sealed.length - 1]) {
      const changed = sealed.slice()
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(() => encryption.open(changed, 'kid')).toThrow()
    }
  })

  it('are never the same twice', () => {
    expect(encryption.seal(plain, 'kid')).not.toEqual(encryption.seal(plain, 'kid'))
  })
})

describe('the key ring', () => {
  it('makes one key, keeps it sealed, and signs RS512 with a kid of 64 hex digits', async () => {
    const store = memoryStore()
    const ring = ringOn(store)
    await ring.load()
    const { token } = await ring.sign(payload)
    const verified = await compactVerify(token, createLocalJWKSet(ring.keySet()))
    expect(verified.protectedHeader).toEqual({ alg: 'RS512', typ: 'JWT', kid: ring.keySet().keys[0]?.kid })
    expect(verified.payload).toEqual(payload)
    const [stored] = await store.listPublished(new Date())
    expect(Buffer.from(stored?.privateKeyEncrypted ?? []).includes('PRIVATE KEY')).toBe(false)
  })

  it('publishes exactly the documented members', async () => {
    const ring = ringOn(memoryStore())
    await ring.load()
    const [key] = ring.keySet().keys
    expect(Object.keys(key ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    expect(key).toMatchObject({
      kty: 'RSA',
      e: 'AQAB',
      alg: 'RS512',
      use: 'sig',
      kid: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    })
  })

  it('shares its key with another replica and after a restart', async () => {
    const store = memoryStore()
    const [one, two] = [ringOn(store), ringOn(store)]
    await one.load()
    await two.load()
    expect(two.keySet()).toEqual(one.keySet())
    await expect(
      compactVerify((await two.sign(payload)).token, createLocalJWKSet(one.keySet())),
    ).resolves.toBeDefined()
  })

  const rotateOn = (store: SigningKeyStore, clock: FakeClock, secret = SECRET) =>
    rotateKeys(600, {
      store,
      encryption: createKeyEncryption(secret),
      bits: 2_048,
      clock,
      actor: SYSTEM_ACTOR,
    })

  it('publishes the next key at once, signs with it from its time on, and keeps the one before', async () => {
    const [store, clock] = [memoryStore(), createFakeClock()]
    const ring = ringOn(store, SECRET, clock)
    await ring.load()
    const { token: before } = await ring.sign(payload)
    const outcome = await rotateOn(store, clock)
    await ring.load()
    expect(ring.keySet().keys.map(({ kid }) => kid)).toContain(outcome.kid)
    const kidOf = (token: string) => decodeProtectedHeader(token).kid
    clock.advance(599)
    await ring.load()
    expect(kidOf((await ring.sign(payload)).token)).toBe(kidOf(before))
    clock.advance(1)
    await ring.load()
    const { token: after } = await ring.sign(payload)
    expect(kidOf(after)).toBe(outcome.kid)
    for (const token of [before, after]) {
      await expect(compactVerify(token, createLocalJWKSet(ring.keySet()))).resolves.toBeDefined()
    }
  })

  it('withdraws a retired key once the longest token it can have signed has expired', async () => {
    const [store, clock] = [memoryStore(), createFakeClock()]
    const ring = ringOn(store, SECRET, clock)
    await ring.load()
    await rotateOn(store, clock)
    clock.advance(600)
    await ring.load()
    clock.advance(1_296_000)
    await ring.load()
    expect(ring.keySet().keys).toHaveLength(2)
    clock.advance(300)
    await ring.load()
    expect(ring.keySet().keys).toHaveLength(1)
  })

  it('rotates once for two requests, and returns when the key will sign to the second', async () => {
    const [store, clock] = [memoryStore(), createFakeClock()]
    await ringOn(store, SECRET, clock).load()
    const first = await rotateOn(store, clock)
    expect(await rotateOn(store, clock)).toEqual({ ...first, kind: 'under_way' })
  })

  it('does not rotate with another secret: nobody could sign with such a key', async () => {
    const [store, clock] = [memoryStore(), createFakeClock()]
    await ringOn(store, SECRET, clock).load()
    const foreign = rotateOn(store, clock, new Secret('another secret, as long'))
    await expect(foreign).rejects.toBeInstanceOf(ForeignSecret)
    expect(await store.listPublished(clock.now())).toHaveLength(1)
  })

  it('does not start with another secret', async () => {
    const store = memoryStore()
    await ringOn(store).load()
    await expect(ringOn(store, new Secret('another secret, as long')).load()).rejects.toThrow()
  })

  it('refuses to sign before it was loaded', async () => {
    await expect(ringOn(memoryStore()).sign(payload)).rejects.toThrow('before it was loaded')
  })
})
