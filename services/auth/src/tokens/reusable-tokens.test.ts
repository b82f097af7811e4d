import type { KeyValue } from '@merx/key-value/key-value'
import { createMemoryKeyValue } from '@merx/key-value/memory-key-value'
import { createFakeClock } from '@merx/testing/fake-clock'
import type { AccessToken } from './access-token.ts'
import { createReusableTokens, type ReusableTokens } from './reusable-tokens.ts'
import { VAIN_LOOKS } from './vain-looks.ts'

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
  let elapsedMs = 0
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
      elapsedMs: () => elapsedMs,
    })
  const elapse = (ms: number): void => {
    elapsedMs += ms
  }
  return { clock, keyValue, revoked, mint, replica, state, elapse, mintedCount: () => minted }
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
    expect(second.token).not.toBe(first.token)
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

describe('a token that is remembered', () => {
  it('costs the store one question a second, however often it is asked for', async () => {
    const { mint, replica, state, elapse } = setUp()
    const tokens = replica()
    const first = await tokens.findOrMint(KEY, mint)
    state.reads = 0
    for (let asked = 0; asked < 50; asked += 1) expect(await tokens.findOrMint(KEY, mint)).toEqual(first)
    expect(state.reads).toBe(1)
    elapse(999)
    await tokens.findOrMint(KEY, mint)
    expect(state.reads).toBe(1)
    elapse(1)
    await tokens.findOrMint(KEY, mint)
    expect(state.reads).toBe(2)
  })

  it('is forgotten with the store within a second, so that replicas agree again', async () => {
    const { keyValue, mint, replica, elapse } = setUp()
    const [one, two] = [replica(), replica()]
    const first = await one.findOrMint(KEY, mint)
    expect(await one.findOrMint(KEY, mint)).toEqual(first) // remembered
    await keyValue.delete(KEY)
    const second = await two.findOrMint(KEY, mint)
    expect(second).not.toEqual(first)
    expect(await one.findOrMint(KEY, mint)).toEqual(first)
    elapse(1_000)
    expect(await one.findOrMint(KEY, mint)).toEqual(second)
  })

  it('is not handed out while revocations are not heard of: the store knows better', async () => {
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

describe('a token that is signed before the store is asked', () => {
  /** Of clients that keep their tokens, so that the store has none for anybody. */
  const lookInVain = async (tokens: ReusableTokens, mint: () => Promise<AccessToken>): Promise<void> => {
    for (let number = 1; number <= VAIN_LOOKS; number += 1)
      await tokens.findOrMint(`${KEY}-vain-${number}`, mint)
  }

  const setUpInVain = async () => {
    const given = setUp()
    const tokens = given.replica()
    await lookInVain(tokens, given.mint)
    given.state.reads = 0
    return { ...given, tokens }
  }

  it('is so only after many looks in a row found nothing', async () => {
    const { mint, replica, state } = setUp()
    const tokens = replica()
    await lookInVain(tokens, mint)
    expect(state.reads).toBe(VAIN_LOOKS)
    await tokens.findOrMint(KEY, mint)
    expect(state.reads).toBe(VAIN_LOOKS)
  })

  it('is kept for the other replicas, as any other', async () => {
    const { tokens, replica, mint } = await setUpInVain()
    const first = await tokens.findOrMint(KEY, mint)
    expect(await replica().findOrMint(KEY, mint)).toEqual(first)
  })

  it('gives way to the one that another replica has, and then the store is asked first again', async () => {
    const { tokens, replica, mint, state, mintedCount } = await setUpInVain()
    const theirs = await replica().findOrMint(KEY, mint)
    const before = mintedCount()
    expect(await tokens.findOrMint(KEY, mint)).toEqual(theirs)
    expect(mintedCount()).toBe(before + 1)
    state.reads = 0
    await tokens.findOrMint(`${KEY}-else`, mint)
    expect(state.reads).toBe(1)
  })

  it('is one for 1000 simultaneous requests on three replicas', async () => {
    const { tokens, replica, mint } = await setUpInVain()
    const [two, three] = [replica(), replica()]
    await lookInVain(two, mint)
    const ask = (index: number) => ([tokens, two, three][index % 3] ?? tokens).findOrMint(KEY, mint)
    const all = await Promise.all(Array.from({ length: 1_000 }, (_, index) => ask(index)))
    expect(new Set(all.map(({ token }) => token)).size).toBe(1)
  })

  it('succeeds one that may not be handed out any more, the same on all replicas', async () => {
    const { tokens, replica, clock, mint, revoked } = await setUpInVain()
    const other = replica()
    const old = await other.findOrMint(KEY, mint)
    clock.advance(LIFETIME - 900)
    const second = await tokens.findOrMint(KEY, mint)
    expect(second).not.toEqual(old)
    expect(await other.findOrMint(KEY, mint)).toEqual(second)
    await lookInVain(tokens, mint)
    revoked.add(second.tokenId)
    await other.forget(KEY, second)
    const third = await tokens.findOrMint(KEY, mint)
    expect(third).not.toEqual(second)
    expect(await other.findOrMint(KEY, mint)).toEqual(third)
  })

  it('is none of a key whose token was found here before', async () => {
    const { replica, mint, state, elapse, mintedCount } = setUp()
    const tokens = replica()
    const first = await tokens.findOrMint(KEY, mint)
    await tokens.findOrMint(KEY, mint)
    await lookInVain(tokens, mint)
    elapse(1_000)
    state.reads = 0
    const before = mintedCount()
    expect(await tokens.findOrMint(KEY, mint)).toEqual(first)
    expect([state.reads, mintedCount()]).toEqual([1, before])
  })
})
