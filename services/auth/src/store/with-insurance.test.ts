import { KeyValueUnavailable, type KeyValue } from '@merx/key-value/key-value'
import { createMemoryKeyValue } from '@merx/key-value/memory-key-value'
import { createFakeClock } from '@merx/testing/fake-clock'
import { withInsurance } from './with-insurance.ts'

const TTL = { ttlSeconds: 60 }

const failing = (error: Error): KeyValue => {
  const fail = () => Promise.reject(error)
  return { get: fail, set: fail, setIfAbsent: fail, take: fail, delete: fail, close: () => Promise.resolve() }
}

const clock = createFakeClock()
const memory = () => createMemoryKeyValue({ clock })

/** A store that answers, fails or never answers as a test says, and counts its calls. */
const moody = () => {
  const store = memory()
  const state = { mood: 'well' as 'well' | 'unavailable' | 'silent', asked: 0 }
  const obey = async <T>(act: () => Promise<T>): Promise<T> => {
    state.asked += 1
    const answer = state.mood === 'unavailable' ? undefined : await act()
    if (state.mood === 'unavailable') throw new KeyValueUnavailable('unavailable')
    return state.mood === 'silent' ? new Promise<T>(() => undefined) : (answer as T)
  }
  const shared: KeyValue = {
    get: (key) => obey(() => store.get(key)),
    set: (key, value, expiry) => obey(() => store.set(key, value, expiry)),
    setIfAbsent: (key, value, expiry) => obey(() => store.setIfAbsent(key, value, expiry)),
    take: (key) => obey(() => store.take(key)),
    delete: (key) => obey(() => store.delete(key)),
    close: () => Promise.resolve(),
  }
  return { shared, state }
}

describe('an insured key-value store', () => {
  it('uses the shared store while it answers', async () => {
    const [shared, local] = [memory(), memory()]
    const store = withInsurance(shared, local, { clock })
    await store.set('a', '1', TTL)
    expect(await shared.get('a')).toBe('1')
    expect(await local.get('a')).toBeUndefined()
  })

  it('does everything in this process while the shared store is unavailable', async () => {
    const store = withInsurance(failing(new KeyValueUnavailable('unavailable')), memory(), { clock })
    expect(await store.setIfAbsent('a', '1', TTL)).toBe(true)
    expect(await store.setIfAbsent('a', '2', TTL)).toBe(false)
    expect(await store.get('a')).toBe('1')
    await store.set('a', '3', TTL)
    expect(await store.take('a')).toBe('3')
    await store.delete('a')
    expect(await store.get('a')).toBeUndefined()
    await store.close()
  })

  it('hides no other error', async () => {
    const store = withInsurance(failing(new RangeError('key')), memory(), { clock })
    await expect(store.get('a')).rejects.toThrow(RangeError)
  })

  it.each(['unavailable', 'silent'] as const)(
    'leaves a store that is %s alone for a second, then asks again',
    async (mood) => {
      const { shared, state } = moody()
      const store = withInsurance(shared, memory(), { clock, answerMs: 20 })
      state.mood = mood
      await store.set('a', 'local', TTL)
      for (let count = 0; count < 50; count += 1) expect(await store.get('a')).toBe('local')
      expect(state.asked).toBe(1)
      clock.advance(1)
      state.mood = 'well'
      await store.set('b', 'shared', TTL)
      expect(await shared.get('b')).toBe('shared')
    },
  )

  it('gives what ended up in both stores once', async () => {
    const { shared, state } = moody()
    const store = withInsurance(shared, memory(), { clock, answerMs: 20 })
    state.mood = 'silent' // written, but the answer gets lost
    await store.set('a', '1', TTL)
    expect(await store.take('a')).toBe('1')
    clock.advance(1)
    state.mood = 'well'
    expect(await store.take('a')).toBeUndefined()
    await store.set('a', '2', TTL)
    expect(await store.take('a')).toBe('2')
  })

  it('gives it once, too, when the shared store is back before it is taken', async () => {
    const { shared, state } = moody()
    const store = withInsurance(shared, memory(), { clock, answerMs: 20 })
    state.mood = 'silent'
    await store.set('a', '1', TTL)
    clock.advance(1)
    state.mood = 'well'
    expect(await store.take('a')).toBe('1')
    state.mood = 'unavailable'
    expect(await store.take('a')).toBeUndefined()
  })
})
