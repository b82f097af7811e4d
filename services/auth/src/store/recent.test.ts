import { createFakeClock } from '@merx/testing/fake-clock'
import { createRecent } from './recent.ts'

const setUp = () => {
  const clock = createFakeClock()
  const loads: string[] = []
  const load = (value: string) => async () => {
    loads.push(value)
    return value
  }
  return { clock, loads, load, recent: createRecent<string>({ freshMs: 1_000, entriesMax: 2, clock }) }
}

describe('recent answers', () => {
  it('are used again for their time and not a millisecond longer', async () => {
    const { clock, load, recent } = setUp()
    expect(await recent.get('a', load('one'))).toBe('one')
    clock.advance(0.999)
    expect(await recent.get('a', load('two'))).toBe('one')
    clock.advance(0.001)
    expect(await recent.get('a', load('three'))).toBe('three')
  })

  it('are looked up once for all that ask at once', async () => {
    const { loads, load, recent } = setUp()
    await Promise.all(Array.from({ length: 10 }, () => recent.get('a', load('one'))))
    expect(loads).toEqual(['one'])
  })

  it('drop the oldest when there are too many', async () => {
    const { loads, load, recent } = setUp()
    for (const key of ['a', 'b', 'c', 'c', 'a']) await recent.get(key, load(key))
    expect(loads).toEqual(['a', 'b', 'c', 'a'])
  })

  it('are not kept when the look-up failed', async () => {
    const { load, recent } = setUp()
    await expect(recent.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await recent.get('a', load('one'))).toBe('one')
  })
})
