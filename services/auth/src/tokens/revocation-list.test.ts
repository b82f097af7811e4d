import { createFakeClock } from '@merx/testing/fake-clock'
import { createRevocationList, type Revocation } from './revocation-list.ts'

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
  return { clock, list, revoke, asked }
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

  it('forgets tokens that have expired by themselves', async () => {
    const { clock, list, revoke } = setUp()
    revoke('a', 60)
    await list.refresh()
    clock.advance(60)
    await list.refresh()
    expect(list.isRevoked('a')).toBe(false)
  })

  it('goes on after a failed read', async () => {
    let isAway = true
    const list = createRevocationList(
      {
        listRevocationsAfter: async () => {
          if (isAway) throw new Error('away')
          return { version: 1, revocations: [{ tokenId: 'a', expiresAt: new Date(8.64e15) }], changes: [] }
        },
      },
      createFakeClock(),
    )
    await expect(list.refresh()).rejects.toThrow('away')
    isAway = false
    await list.refresh()
    expect(list.isRevoked('a')).toBe(true)
  })
})
