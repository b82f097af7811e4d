import { createFakeClock } from '@merx/testing/fake-clock'
import { describeLimiter } from '../test/limiter-cases.ts'
import type { Subject } from '../test/limiter-cases.ts'
import { createKeyLimiter, createLimiter } from './create-limiter.ts'

let subject: Subject
beforeEach(() => {
  const clock = createFakeClock()
  subject = { clock, limiter: createLimiter({ clock }), scaled: (scale) => createLimiter({ clock, scale }) }
})

describeLimiter('memory limiter', () => subject)

describe('memory limiter, keys', () => {
  it('limits IPv6 by network, so that changing addresses inside it gains nothing', async () => {
    const request = { class: 'token', mode: 'test', endpoint: '/oauth/token' } as const
    for (let host = 1; host <= 30; host += 1) {
      await subject.limiter.consume({ ...request, ip: `2001:db8:1:2::${host.toString(16)}` })
    }
    expect((await subject.limiter.consume({ ...request, ip: '2001:db8:1:2:ffff::1' })).isAllowed).toBe(false)
    expect((await subject.limiter.consume({ ...request, ip: '2001:db8:1:3::1' })).isAllowed).toBe(true)
  })

  it('tells endpoints apart however long their names are', async () => {
    const request = { class: 'metrics', mode: 'test', ip: '203.0.113.7' } as const
    const long = 'x'.repeat(5000)
    for (let sent = 0; sent < 25; sent += 1)
      await subject.limiter.consume({ ...request, endpoint: `${long}a` })
    expect((await subject.limiter.consume({ ...request, endpoint: `${long}a` })).isAllowed).toBe(false)
    expect((await subject.limiter.consume({ ...request, endpoint: `${long}b` })).isAllowed).toBe(true)
  })
})

describe('a limiter of keys', () => {
  const window = { points: 2, seconds: 60 }

  it('counts each key by itself, refused attempts too, and says when to come back', async () => {
    const clock = createFakeClock()
    const limiter = createKeyLimiter({ name: 'test', window, clock })
    for (let attempt = 1; attempt <= 2; attempt += 1)
      expect(await limiter.consume('a')).toEqual({ isAllowed: true, retryAfterSeconds: 0 })
    expect(await limiter.consume('a')).toEqual({ isAllowed: false, retryAfterSeconds: 60 })
    expect((await limiter.consume('b')).isAllowed).toBe(true)
    clock.advance(60.001)
    expect((await limiter.consume('a')).isAllowed).toBe(true)
  })

  it('scales like every other window', async () => {
    const limiter = createKeyLimiter({ name: 'test', window, clock: createFakeClock(), scale: 2 })
    const states = await Promise.all(['a', 'a', 'a', 'a', 'a'].map((key) => limiter.consume(key)))
    expect(states.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, true, false])
  })

  it('takes attempts back, the latest first, and only those of the key', async () => {
    const clock = createFakeClock()
    const limiter = createKeyLimiter({ name: 'test', window, clock })
    await limiter.giveBack('a') // nothing to take back
    await limiter.consume('a')
    clock.advance(30)
    await limiter.consume('a')
    await limiter.giveBack('a')
    await limiter.giveBack('b')
    expect(await limiter.consume('a')).toEqual({ isAllowed: true, retryAfterSeconds: 0 })
    // The first, of 30 seconds ago, still counts.
    expect(await limiter.consume('a')).toEqual({ isAllowed: false, retryAfterSeconds: 60 })
  })

  it('is as if never asked once everything was taken back, whatever the ring looked like', async () => {
    const limiter = createKeyLimiter({ name: 'test', window, clock: createFakeClock() })
    for (let round = 0; round < 5; round += 1) {
      for (let attempt = 0; attempt < 3; attempt += 1) await limiter.consume('a')
      for (let attempt = 0; attempt < 3; attempt += 1) await limiter.giveBack('a')
    }
    const states = [await limiter.consume('a'), await limiter.consume('a'), await limiter.consume('a')]
    expect(states.map(({ isAllowed }) => isAllowed)).toEqual([true, true, false])
  })
})
