import { createFakeClock } from '@merx/testing/fake-clock'
import { describeKeyValue } from '../test/key-value-cases.ts'
import type { Subject } from '../test/key-value-cases.ts'
import { createMemoryKeyValue } from './memory-key-value.ts'

let subject: Subject
beforeEach(() => {
  const clock = createFakeClock()
  subject = { store: createMemoryKeyValue({ clock }), elapse: async (seconds) => clock.advance(seconds) }
})

describeKeyValue('memory key-value', () => subject)

describe('memory key-value, bounds', () => {
  it('drops the entry written longest ago when it is full', async () => {
    const store = createMemoryKeyValue({ clock: createFakeClock(), entriesMax: 3 })
    for (const key of ['a', 'b', 'c', 'a', 'd']) await store.set(key, key, { ttlSeconds: 60 })
    const left = await Promise.all(['a', 'b', 'c', 'd'].map((key) => store.get(key)))
    expect(left).toEqual(['a', undefined, 'c', 'd'])
  })

  it('forgets entries that ended without being read, so they push out no living one', async () => {
    const clock = createFakeClock()
    const store = createMemoryKeyValue({ clock, entriesMax: 10 })
    await store.set('living', 'x', { ttlSeconds: 3600 })
    for (let round = 0; round < 20; round += 1) {
      for (let index = 0; index < 5; index += 1)
        await store.set(`short-${round}-${index}`, 'x', { ttlSeconds: 1 })
      clock.advance(2)
    }
    expect(await store.get('living')).toBe('x')
  })

  it('forgets everything when closed', async () => {
    const store = createMemoryKeyValue({ clock: createFakeClock() })
    await store.set('a', 'x', { ttlSeconds: 60 })
    await store.close()
    expect(await store.get('a')).toBeUndefined()
  })
})
