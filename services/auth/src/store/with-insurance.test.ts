import { KeyValueUnavailable, type KeyValue } from '@merx/key-value/key-value'
import { createMemoryKeyValue } from '@merx/key-value/memory-key-value'
import { createFakeClock } from '@merx/testing/fake-clock'
import { withInsurance } from './with-insurance.ts'

const TTL = { ttlSeconds: 60 }

const failing = (error: Error): KeyValue => {
  const fail = () => Promise.reject(error)
  return { get: fail, set: fail, setIfAbsent: fail, take: fail, delete: fail, close: () => Promise.resolve() }
}

const memory = () => createMemoryKeyValue({ clock: createFakeClock() })

describe('an insured key-value store', () => {
  it('uses the shared store while it answers', async () => {
    const [shared, local] = [memory(), memory()]
    const store = withInsurance(shared, local)
    await store.set('a', '1', TTL)
    expect(await shared.get('a')).toBe('1')
    expect(await local.get('a')).toBeUndefined()
  })

  it('does everything in this process while the shared store is away', async () => {
    const store = withInsurance(failing(new KeyValueUnavailable('away')), memory())
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
    await expect(withInsurance(failing(new RangeError('key')), memory()).get('a')).rejects.toThrow(RangeError)
  })
})
