import type { KeyValue } from '@merx/key-value/key-value'
import { createMemoryKeyValue } from '@merx/key-value/memory-key-value'
import { createFakeClock } from '@merx/testing/fake-clock'
import type { AccessToken } from './access-token.ts'
import { createReusableTokens } from './reusable-tokens.ts'

const LIFETIME = 7_200
const KEY = 'reuse:someone'

const setUp = () => {
  const clock = createFakeClock('2026-01-15T12:00:00Z')
  const keyValue = createMemoryKeyValue({ clock })
  const revoked = new Set<string>()
  let minted = 0
  const mint = async (): Promise<AccessToken> => {
    minted += 1
    const issuedAtSeconds = Math.floor(clock.now().getTime() / 1000)
    return {
      token: `token-${minted}`,
      tokenId: `id-${minted}`,
      kid: 'a-key',
      issuedAtSeconds,
      expiresAtSeconds: issuedAtSeconds + LIFETIME,
    }
  }
  const state = { isInStep: true, reads: 0 }
  const counted: KeyValue = {
    ...keyValue,
    get: (key) => {
      state.reads += 1
      return keyValue.get(key)
    },
  }
  const replica = () =>
    createReusableTokens({
      keyValue: counted,
      clock,
      isRevoked: ({ tokenId, kid }) => revoked.has(tokenId) || revoked.has(kid),
      isInStep: () => state.isInStep,
    })
  return { clock, keyValue, revoked, mint, replica, state, mintedCount: () => minted }
}

describe('reuse of access tokens', () => {
  it('gives the same token while more than 900 s are left, and a new one from exactly 900 s on', async () => {
    const { clock, mint, replica } = setUp()
    const tokens = replica()
    const first = await tokens.findOrMint(KEY, mint)
    clock.advance(LIFETIME - 901)
    expect(await tokens.findOrMint(KEY, mint)).toEqual(first)
    clock.advance(0.999)
    expect(await tokens.findOrMint(KEY, mint)).toEqual(first)
    clock.advance(0.001)
    const second = await tokens.findOrMint(KEY, mint)
    expect(second.token).toBe('token-2')
    clock.advance(1)
    expect(await tokens.findOrMint(KEY, mint)).toEqual(second)
  })

  it('gives 1000 simultaneous requests on three replicas one token, fresh or at the boundary', async () => {
    const { clock, mint, replica } = setUp()
    const [one, two, three] = [replica(), replica(), replica()]
    const ask = (index: number) =>
      [one, two, three][index % 3]?.findOrMint(KEY, mint) ?? Promise.reject(new Error('no replica'))
    const askAll = () => Promise.all(Array.from({ length: 1_000 }, (_, index) => ask(index)))
    expect(new Set((await askAll()).map((token) => token.token)).size).toBe(1)
    clock.advance(LIFETIME - 900)
    expect(new Set((await askAll()).map((token) => token.token)).size).toBe(1)
  })

  it('signs once a replica for all that ask at once', async () => {
    const { mint, replica, mintedCount } = setUp()
    const tokens = replica()
    await Promise.all(Array.from({ length: 100 }, () => tokens.findOrMint(KEY, mint)))
    expect(mintedCount()).toBe(1)
  })

  it('tells keys apart', async () => {
    const { mint, replica } = setUp()
    const tokens = replica()
    const first = await tokens.findOrMint(KEY, mint)
    expect(await tokens.findOrMint(`${KEY}-else`, mint)).not.toEqual(first)
  })

  it('finds the winner’s token when the winner died before it moved the head on', async () => {
    const { clock, keyValue, mint, replica } = setUp()
    const tokens = replica()
    const first = await tokens.findOrMint(KEY, mint)
    clock.advance(LIFETIME - 900)
    const winner = await mint()
    await keyValue.setIfAbsent(`${KEY}:${first.tokenId}`, JSON.stringify(winner), { ttlSeconds: LIFETIME })
    expect(await tokens.findOrMint(KEY, mint)).toEqual(winner)
  })

  it('never gives out a forgotten token, on any replica', async () => {
    const { mint, replica } = setUp()
    const [one, two] = [replica(), replica()]
    const first = await one.findOrMint(KEY, mint)
    await one.forget(KEY, first)
    const second = await two.findOrMint(KEY, mint)
    expect(second.token).toBe('token-2')
    expect(await one.findOrMint(KEY, mint)).toEqual(second)
  })

  it('forgets a token that was never made the head', async () => {
    const { clock, keyValue, mint, replica } = setUp()
    const tokens = replica()
    const first = await tokens.findOrMint(KEY, mint)
    clock.advance(LIFETIME - 900)
    const winner = await mint()
    await keyValue.setIfAbsent(`${KEY}:${first.tokenId}`, JSON.stringify(winner), { ttlSeconds: LIFETIME })
    await tokens.forget(KEY, winner)
    expect((await tokens.findOrMint(KEY, mint)).token).not.toBe(winner.token)
  })

  it('never gives out a token that the revocation list names, even when the store still has it', async () => {
    const { mint, replica, revoked } = setUp()
    const tokens = replica()
    const first = await tokens.findOrMint(KEY, mint)
    revoked.add(first.tokenId)
    const second = await tokens.findOrMint(KEY, mint)
    expect(second.token).not.toBe(first.token)
    expect(await tokens.findOrMint(KEY, mint)).toEqual(second)
  })

  it('keeps a newer token when an older one is forgotten late', async () => {
    const { clock, mint, replica } = setUp()
    const tokens = replica()
    const first = await tokens.findOrMint(KEY, mint)
    clock.advance(LIFETIME - 900)
    const second = await tokens.findOrMint(KEY, mint)
    await tokens.forget(KEY, first)
    expect(await tokens.findOrMint(KEY, mint)).toEqual(second)
  })

  it.each(['not json', '"text"', 'null', '{"token":1}', '{"token":"a","tokenId":"b","issuedAtSeconds":"x"}'])(
    'replaces the entry %j, which is no token',
    async (entry) => {
      const { keyValue, mint, replica } = setUp()
      await keyValue.set(KEY, entry, { ttlSeconds: 60 })
      await expect(replica().findOrMint(KEY, mint)).resolves.toMatchObject({ token: 'token-1' })
      await expect(replica().findOrMint(KEY, mint)).resolves.toMatchObject({ token: 'token-1' })
    },
  )

  it('lets the next request try again when signing failed', async () => {
    const { mint, replica } = setUp()
    const tokens = replica()
    await expect(tokens.findOrMint(KEY, () => Promise.reject(new Error('no key')))).rejects.toThrow('no key')
    await expect(tokens.findOrMint(KEY, mint)).resolves.toMatchObject({ token: 'token-1' })
  })

  it('never gives a token again whose key was withdrawn', async () => {
    const { revoked, mint, replica } = setUp()
    const first = await replica().findOrMint(KEY, mint)
    revoked.add(first.kid)
    const other = { ...(await mint()), kid: 'another-key' }
    expect(await replica().findOrMint(KEY, async () => other)).toEqual(other)
    expect(await replica().findOrMint(KEY, mint)).toEqual(other)
  })
})

describe('the chain of a key', () => {
  /** Ten tokens, one after the other; only that at `usable` may be handed out. */
  const chainOf = async (usable: number) => {
    const { keyValue, mint, ...rest } = setUp()
    const tokens = [await mint()]
    await keyValue.set(KEY, JSON.stringify(tokens[0]), { ttlSeconds: LIFETIME })
    while (tokens.length < 10) {
      const slot = `${KEY}:${tokens.at(-1)?.tokenId ?? ''}`
      tokens.push(await mint())
      await keyValue.set(slot, JSON.stringify(tokens.at(-1)), { ttlSeconds: LIFETIME })
    }
    const isUsable = ({ tokenId }: AccessToken) => {
      const at = tokens.findIndex((each) => each.tokenId === tokenId)
      return at === usable || at === -1
    }
    const slotAt = (at: number) => (at === 0 ? KEY : `${KEY}:${tokens[at - 1]?.tokenId ?? ''}`)
    const isMarked = async (at: number) => (await keyValue.get(slotAt(at)))?.includes('"token":"revoked"')
    return { ...rest, keyValue, mint, tokens, isUsable, isMarked }
  }

  it('is followed over eight tokens; beyond them a caller gets one of its own', async () => {
    const near = await chainOf(7)
    expect(await near.replica().findOrMint(KEY, near.mint, near.isUsable)).toEqual(near.tokens[7])
    expect(near.mintedCount()).toBe(10)
    const far = await chainOf(9)
    expect((await far.replica().findOrMint(KEY, far.mint, far.isUsable)).token).toBe('token-11')
  })

  it('is searched over eight tokens for one to forget', async () => {
    const { replica, tokens, isMarked } = await chainOf(0)
    for (const at of [7, 8]) await replica().forget(KEY, tokens[at] ?? { tokenId: '', expiresAtSeconds: 0 })
    expect([await isMarked(6), await isMarked(7), await isMarked(8)]).toEqual([false, true, false])
  })

  it('goes on behind a token that was forgotten', async () => {
    const { replica, tokens, isUsable, mint, mintedCount } = await chainOf(1)
    await replica().forget(KEY, tokens[0] ?? { tokenId: '', expiresAtSeconds: 0 })
    expect(await replica().findOrMint(KEY, mint, isUsable)).toEqual(tokens[1])
    expect(mintedCount()).toBe(10)
  })

  it('begins with the newest token, which is one read away', async () => {
    const { clock, mint, replica, state } = setUp()
    await replica().findOrMint(KEY, mint)
    clock.advance(LIFETIME - 900)
    const second = await replica().findOrMint(KEY, mint)
    state.reads = 0
    expect(await replica().findOrMint(KEY, mint)).toEqual(second)
    expect(state.reads).toBe(1)
  })
})

describe('a cached token', () => {
  it('costs the store one read a second, however often it is requested', async () => {
    const { clock, mint, replica, state } = setUp()
    const tokens = replica()
    const first = await tokens.findOrMint(KEY, mint)
    state.reads = 0
    for (let count = 0; count < 50; count += 1) expect(await tokens.findOrMint(KEY, mint)).toEqual(first)
    clock.advance(0.999)
    await tokens.findOrMint(KEY, mint)
    expect(state.reads).toBe(0)
    clock.advance(0.001)
    await tokens.findOrMint(KEY, mint)
    await tokens.findOrMint(KEY, mint)
    expect(state.reads).toBe(1)
  })

  it('is dropped a second after the store lost it, so that replicas agree again', async () => {
    const { clock, keyValue, mint, replica } = setUp()
    const [one, two] = [replica(), replica()]
    const first = await one.findOrMint(KEY, mint)
    expect(await one.findOrMint(KEY, mint)).toEqual(first) // cached
    await keyValue.delete(KEY)
    const second = await two.findOrMint(KEY, mint)
    expect(second).not.toEqual(first)
    expect(await one.findOrMint(KEY, mint)).toEqual(first)
    clock.advance(1)
    expect(await one.findOrMint(KEY, mint)).toEqual(second)
  })

  it('is not handed out while this replica does not follow revocations', async () => {
    const { mint, replica, state } = setUp()
    const [one, two] = [replica(), replica()]
    const first = await one.findOrMint(KEY, mint)
    await one.findOrMint(KEY, mint)
    await two.forget(KEY, first)
    state.isInStep = false
    expect((await one.findOrMint(KEY, mint)).token).not.toBe(first.token)
  })

  it('is not handed out once it is revoked, here or elsewhere', async () => {
    const { revoked, mint, replica } = setUp()
    const [one, two] = [replica(), replica()]
    const first = await one.findOrMint(KEY, mint)
    for (const each of [one, two]) await each.findOrMint(KEY, mint)
    revoked.add(first.tokenId) // what the list of both replicas says once they heard of it
    for (const each of [one, two]) expect((await each.findOrMint(KEY, mint)).token).not.toBe(first.token)
    const other = setUp()
    const here = other.replica()
    const forgotten = await here.findOrMint(KEY, other.mint)
    await here.findOrMint(KEY, other.mint)
    await here.forget(KEY, forgotten)
    expect((await here.findOrMint(KEY, other.mint)).token).not.toBe(forgotten.token)
  })

  it('is not handed out when the caller cannot use it, or from exactly 900 s on', async () => {
    const { clock, mint, replica } = setUp()
    const tokens = replica()
    const first = await tokens.findOrMint(KEY, mint)
    await tokens.findOrMint(KEY, mint)
    clock.advance(LIFETIME - 900.001)
    expect(await tokens.findOrMint(KEY, mint)).toEqual(first)
    clock.advance(0.001)
    const second = await tokens.findOrMint(KEY, mint)
    expect(second).not.toEqual(first)
    await tokens.findOrMint(KEY, mint)
    const third = await tokens.findOrMint(KEY, mint, (token) => token.tokenId !== second.tokenId)
    expect(third).not.toEqual(second)
  })

  it('makes room for others, and costs no more memory than ten thousand', async () => {
    const { mint, replica, state } = setUp()
    const tokens = replica()
    for (let number = 0; number <= 10_000; number += 1)
      for (const _twice of [1, 2]) await tokens.findOrMint(`${KEY}-${number}`, mint)
    state.reads = 0
    await tokens.findOrMint(`${KEY}-10000`, mint)
    expect(state.reads).toBe(0)
    await tokens.findOrMint(`${KEY}-0`, mint)
    expect(state.reads).toBe(1)
  })
})
