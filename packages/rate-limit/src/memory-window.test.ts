import { createFakeClock } from '@merx/testing/fake-clock'
import { MemoryWindow } from './memory-window.ts'

const isAllowed = async (window: MemoryWindow, key: string): Promise<boolean> => {
  try {
    await window.consume(key)
    return true
  } catch {
    return false // the library's refusal; whether it is one is what the callers below compare
  }
}

describe('memory window', () => {
  it('forgets keys whose window is over, as others are asked for', async () => {
    const clock = createFakeClock()
    const window = new MemoryWindow({ points: 5, seconds: 10, clock })
    for (let key = 0; key < 1000; key += 1) await window.consume(`key-${key}`)
    expect(window.size).toBe(1000)
    clock.advance(10)
    await window.consume('another')
    expect(window.size).toBe(1)
  })

  it('holds no more keys than allowed, dropping those asked for longest ago', async () => {
    const window = new MemoryWindow({ points: 1, seconds: 10, clock: createFakeClock(), keysMax: 3 })
    for (const key of ['a', 'b', 'c', 'a', 'd']) await isAllowed(window, key)
    expect(window.size).toBe(3)
    expect(await isAllowed(window, 'a')).toBe(false)
    expect(await isAllowed(window, 'b')).toBe(true) // was dropped, so its count starts at zero
  })

  it('holds no more times than allowed, all keys together', async () => {
    const window = new MemoryWindow({ points: 100, seconds: 10, clock: createFakeClock(), timesMax: 250 })
    for (const key of ['a', 'b', 'c']) for (let sent = 0; sent < 100; sent += 1) await window.consume(key)
    expect(window.size).toBe(2)
  })

  it('takes a clock that went back as standing still, and one far back as a new start', async () => {
    let millis = 1_000_000
    const window = new MemoryWindow({ points: 2, seconds: 10, clock: { now: () => new Date(millis) } })
    await window.consume('a')
    millis -= 5000
    await window.consume('a')
    expect(await isAllowed(window, 'a')).toBe(false)
    millis -= 10_000
    expect(await isAllowed(window, 'a')).toBe(true)
  })

  it('shows and drops a key', async () => {
    const window = new MemoryWindow({ points: 2, seconds: 10, clock: createFakeClock() })
    expect(await window.get('a')).toBeNull()
    await window.consume('a')
    expect(await window.get('a')).toMatchObject({ consumedPoints: 1, remainingPoints: 1, msBeforeNext: 0 })
    expect(await window.delete('a')).toBe(true)
    expect(await window.get('a')).toBeNull()
  })
})
