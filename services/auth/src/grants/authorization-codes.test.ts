import { createMemoryKeyValue } from '@merx/key-value/memory-key-value'
import { createFakeClock } from '@merx/testing/fake-clock'
import { createAuthorizationCodes } from './authorization-codes.ts'

const CONTENT = {
  clientId: 'client',
  userId: 'user',
  redirectUri: 'https://app.example/cb',
  scope: 'market:id:a',
}

const setUp = () => {
  const clock = createFakeClock()
  return { clock, codes: createAuthorizationCodes(createMemoryKeyValue({ clock })) }
}

describe('authorization codes', () => {
  it('give their content once, also when asked for many times at once', async () => {
    const { codes } = setUp()
    const code = await codes.create(CONTENT)
    const taken = await Promise.all(Array.from({ length: 20 }, () => codes.take(code)))
    expect(taken.filter((content) => content !== undefined)).toEqual([CONTENT])
  })

  it('live ten minutes', async () => {
    const { clock, codes } = setUp()
    const [early, late] = [await codes.create(CONTENT), await codes.create(CONTENT)]
    clock.advance(599)
    expect(await codes.take(early)).toEqual(CONTENT)
    clock.advance(1)
    expect(await codes.take(late)).toBeUndefined()
  })

  it('are unknown when nobody made them', async () => {
    expect(await setUp().codes.take('guess')).toBeUndefined()
  })

  const EXCHANGED = { clientId: 'client', familyId: '7' }

  it('tell a replay by the same client what they gave', async () => {
    const { codes } = setUp()
    expect(await codes.recordExchange('code', EXCHANGED)).toBe(false)
    expect(await codes.recordReplay('code', 'client')).toEqual(EXCHANGED)
    expect(await codes.recordReplay('code', 'other')).toBeUndefined()
    expect(await codes.recordReplay('another', 'client')).toBeUndefined()
  })

  it('tell the exchange of a replay that came before it was recorded', async () => {
    const { codes } = setUp()
    expect(await codes.recordReplay('code', 'client')).toBeUndefined()
    expect(await codes.recordReplay('code', 'other')).toBeUndefined()
    expect(await codes.recordExchange('code', EXCHANGED)).toBe(true)
  })

  it('are forgotten a day after the exchange', async () => {
    const { clock, codes } = setUp()
    await codes.recordExchange('code', EXCHANGED)
    clock.advance(86_400)
    expect(await codes.recordReplay('code', 'client')).toBeUndefined()
  })
})
