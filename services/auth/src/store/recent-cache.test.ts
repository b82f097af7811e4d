import { createFakeClock } from '@merx/testing/fake-clock'
import { createRecentCache } from './recent-cache.ts'

const setUp = () => {
  const clock = createFakeClock()
  const loads: string[] = []
  const cache = createRecentCache<{ readonly text: string }, string>({
    entriesMax: 2,
    clock,
    load: async (key, text) => {
      loads.push(key)
      if (text === 'unavailable') throw new Error(text)
      return { text }
    },
  })
  const get = async (key: string, text: string) => (await cache.forceFetch(key, { context: text })).text
  return { clock, loads, cache, get }
}

describe('a cache of recent look-ups', () => {
  it('serves an entry for less than a second', async () => {
    const { clock, get } = setUp()
    expect(await get('a', 'one')).toBe('one')
    clock.advance(0.999)
    expect(await get('a', 'two')).toBe('one')
    clock.advance(0.001)
    expect(await get('a', 'three')).toBe('three')
  })

  it('looks a key up once for all callers that wait for it', async () => {
    const { loads, get } = setUp()
    await Promise.all(Array.from({ length: 10 }, () => get('a', 'one')))
    expect(loads).toEqual(['a'])
  })

  it('drops the entry that was used longest ago when it is full', async () => {
    const { loads, get } = setUp()
    for (const key of ['a', 'b', 'c', 'c', 'a']) await get(key, key)
    expect(loads).toEqual(['a', 'b', 'c', 'a'])
  })

  it('does not cache a look-up that failed', async () => {
    const { get } = setUp()
    await expect(get('a', 'unavailable')).rejects.toThrow('unavailable')
    expect(await get('a', 'one')).toBe('one')
  })

  it('answers a caller whose entry is removed while it is loaded, and does not cache it', async () => {
    const { cache, get } = setUp()
    const first = get('a', 'one')
    cache.clear()
    expect(await first).toBe('one')
    expect(await get('a', 'two')).toBe('two')
  })
})
