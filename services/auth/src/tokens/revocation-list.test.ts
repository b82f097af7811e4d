import { createFakeClock } from '@merx/testing/fake-clock'
import type { AccessChange } from '../roles/access-state.ts'
import type { Revocation } from '../roles/access-state.ts'
import { createRevocationList } from './revocation-list.ts'

const setUp = () => {
  const clock = createFakeClock()
  const stored: (Revocation & { version: number })[] = []
  const asked: number[] = []
  const list = createRevocationList(
    {
      listRevocationsAfter: async (after) => {
        asked.push(after)
        return {
          version: stored.length,
          revocations: stored.filter(({ version }) => version > after),
          changes: [],
          withdrawnKeys: [],
        }
      },
    },
    clock,
  )
  const revoke = (tokenId: string, seconds: number) =>
    stored.push({
      tokenId,
      version: stored.length + 1,
      expiresAt: new Date(clock.now().getTime() + seconds * 1000),
    })
  /** Loses the last changes, as a database restored from a backup does, and assigns their versions again. */
  const goBackTo = (version: number) => stored.splice(version)
  return { clock, list, revoke, asked, goBackTo }
}

describe('the list of revocations', () => {
  it('knows what was read and asks for news only', async () => {
    const { list, revoke, asked } = setUp()
    revoke('a', 60)
    expect(list.isRevoked('a')).toBe(false)
    await list.refresh()
    revoke('b', 60)
    await list.refresh()
    expect([list.isRevoked('a'), list.isRevoked('b'), list.isRevoked('c')]).toEqual([true, true, false])
    expect(asked).toEqual([0, 1])
  })

  it('reads once for all who ask while a reading is under way, and not before they asked', async () => {
    const { list, revoke, asked } = setUp()
    const first = list.refresh()
    await Promise.resolve() // it has begun
    revoke('a', 60)
    await Promise.all([first, ...Array.from({ length: 20 }, () => list.refresh())])
    expect(asked).toHaveLength(2)
    expect(list.isRevoked('a')).toBe(true)
    await list.refresh()
    expect(asked).toHaveLength(3)
  })

  it('reads everything again when the versions went back, and misses nothing that was given an old one', async () => {
    const { list, revoke, asked, goBackTo } = setUp()
    for (const tokenId of ['a', 'b', 'c']) revoke(tokenId, 60)
    await list.refresh()
    goBackTo(1)
    revoke('d', 60)
    await list.refresh()
    expect(['a', 'b', 'c', 'd'].map((tokenId) => list.isRevoked(tokenId))).toEqual([true, true, true, true])
    revoke('e', 60)
    await list.refresh()
    expect(list.isRevoked('e')).toBe(true)
    expect(asked).toEqual([0, 3, 0, 2])
  })

  it('forgets tokens that have expired by themselves', async () => {
    const { clock, list, revoke } = setUp()
    revoke('a', 60)
    await list.refresh()
    clock.advance(60)
    await list.refresh()
    expect(list.isRevoked('a')).toBe(false)
  })

  it('continues after a failed read', async () => {
    let isUnavailable = true
    const list = createRevocationList(
      {
        listRevocationsAfter: async () => {
          if (isUnavailable) throw new Error('unavailable')
          const revocations = [{ tokenId: 'a', expiresAt: new Date(8.64e15) }]
          return { version: 1, revocations, changes: [], withdrawnKeys: [] }
        },
      },
      createFakeClock(),
    )
    await expect(list.refresh()).rejects.toThrow('unavailable')
    isUnavailable = false
    await list.refresh()
    expect(list.isRevoked('a')).toBe(true)
  })

  it('knows withdrawn keys until no verifier can hold them', async () => {
    const clock = createFakeClock()
    const withdrawnKeys = [{ kid: 'ab', expiresAt: new Date(clock.now().getTime() + 60_000) }]
    const listRevocationsAfter = async (after: number) => ({
      version: 1,
      revocations: [],
      changes: [],
      withdrawnKeys: after === 0 ? withdrawnKeys : [],
    })
    const list = createRevocationList({ listRevocationsAfter }, clock)
    await list.refresh()
    expect([list.isKeyWithdrawn('ab'), list.isKeyWithdrawn('cd')]).toEqual([true, false])
    clock.advance(60)
    await list.refresh()
    expect(list.isKeyWithdrawn('ab')).toBe(false)
  })
})

describe('tokens of a credential that was disabled and enabled', () => {
  const application = { id: 'a', client_id: 'a', kind: 'integration', public: false, confidential: true }

  const listWith = async (...changes: readonly AccessChange[]) => {
    const news = { version: 1, revocations: [], changes, withdrawnKeys: [] }
    const list = createRevocationList({ listRevocationsAfter: async () => news }, createFakeClock())
    await list.refresh()
    return list
  }
  const change = (subject: 'application' | 'user', revokedBefore: string): AccessChange => ({
    subject,
    id: subject === 'user' ? 'u' : 'a',
    revokedBefore: new Date(revokedBefore),
    expiresAt: new Date('2030-01-01T00:00:00Z'),
  })
  const NOON = Date.parse('2026-01-15T12:00:00Z') / 1_000

  it('are cut off up to the second it was enabled in, and may be issued from the next on', async () => {
    const list = await listWith(change('application', '2026-01-15T12:00:01Z'))
    expect(list.earliestIssueSeconds({ application })).toBe(NOON + 1)
    expect([NOON, NOON + 1].map((iat) => list.isCutOff({ application }, iat))).toEqual([true, false])
  })

  it('are those of the user they speak for too, not of a customer of the same id', async () => {
    const list = await listWith(change('user', '2026-01-15T12:00:05Z'))
    expect(list.earliestIssueSeconds({ application, owner: { type: 'User', id: 'u' } })).toBe(NOON + 5)
    expect(list.earliestIssueSeconds({ application, owner: { type: 'Customer', id: 'u' } })).toBe(0)
  })

  it('may be issued at any time when nothing changed', async () => {
    const list = await listWith()
    expect(list.earliestIssueSeconds({ application })).toBe(0)
    expect(list.isCutOff({ application }, 1)).toBe(false)
  })
})

describe('the list of revocations says', () => {
  const EXPIRES = 60
  const setUpWith = (news: { readonly changes?: boolean; readonly keys?: boolean }) => {
    const clock = createFakeClock()
    const expiresAt = new Date(clock.now().getTime() + EXPIRES * 1000)
    const change: AccessChange = { subject: 'application', id: 'a', revokedBefore: expiresAt, expiresAt }
    const said: string[] = []
    const list = createRevocationList(
      {
        listRevocationsAfter: async () => ({
          version: 1,
          revocations: [],
          changes: news.changes === true ? [change] : [],
          withdrawnKeys: news.keys === true ? [{ kid: 'ab', expiresAt }] : [],
        }),
      },
      clock,
      { onChange: () => said.push('change'), onKeyWithdrawn: () => said.push('key') },
    )
    return { clock, list, said, news }
  }

  it.each([
    [{}, []],
    [{ changes: true }, ['change']],
    [{ keys: true }, ['key']],
    [{ changes: true, keys: true }, ['change', 'key']],
  ])('of %j: %j', async (news, expected) => {
    const { list, said } = setUpWith(news)
    await list.refresh()
    expect(said).toEqual(expected)
  })

  it('nothing of a credential any more once no token can be older than its change', async () => {
    const news = { changes: true }
    const { clock, list } = setUpWith(news)
    const application = { id: 'a', client_id: 'a', kind: 'integration', public: false, confidential: true }
    await list.refresh()
    news.changes = false
    clock.advance(EXPIRES - 1)
    await list.refresh()
    expect(list.earliestIssueSeconds({ application })).toBeGreaterThan(0)
    clock.advance(1)
    await list.refresh()
    expect(list.earliestIssueSeconds({ application })).toBe(0)
  })

  it('how old it is: for ever before the first reading, then since that began', async () => {
    const { list } = setUpWith({})
    expect(list.ageMs()).toBe(Infinity)
    const before = performance.now()
    await list.refresh()
    const age = list.ageMs()
    expect(age).toBeGreaterThanOrEqual(0)
    expect(age).toBeLessThanOrEqual(performance.now() - before)
  })
})
