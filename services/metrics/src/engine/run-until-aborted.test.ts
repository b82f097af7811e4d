import { runUntilAborted } from './run-until-aborted.ts'

const never = new AbortController().signal

describe('work that ends with its caller', () => {
  it('gives its result, and kills nothing, while nobody goes away', async () => {
    let kills = 0
    const kill = async (): Promise<void> => {
      kills += 1
    }
    expect(await runUntilAborted({ work: Promise.resolve(7), kill, signal: never })).toBe(7)
    expect(kills).toBe(0)
  })

  it('throws what the work throws', async () => {
    const work = Promise.reject(new Error('broken'))
    await expect(runUntilAborted({ work, kill: async () => undefined, signal: never })).rejects.toThrow(
      'broken',
    )
  })

  it('is killed until it has ended, and settles only then', async () => {
    const { promise: work, reject } = Promise.withResolvers<number>()
    const gone = new AbortController()
    let kills = 0
    const kill = async (): Promise<void> => {
      kills += 1
      if (kills === 3) reject(new Error('killed by the engine'))
    }
    const running = runUntilAborted({ work, kill, signal: gone.signal })
    gone.abort(new Error('the caller went away'))
    await expect(running).rejects.toThrow('the caller went away')
    expect(kills).toBe(3)
  })

  it('is killed at once for a caller who is gone already', async () => {
    const { promise: work, reject } = Promise.withResolvers<number>()
    const kill = async (): Promise<void> => {
      reject(new Error('killed by the engine'))
    }
    const signal = AbortSignal.abort(new Error('the caller went away'))
    await expect(runUntilAborted({ work, kill, signal })).rejects.toThrow('the caller went away')
  })

  it('gives the result that came before the kill', async () => {
    const gone = new AbortController()
    gone.abort()
    const work = Promise.resolve(7)
    await work
    const given = await runUntilAborted({ work, kill: async () => undefined, signal: gone.signal }).catch(
      () => 'aborted',
    )
    expect([7, 'aborted']).toContain(given)
  })

  it('throws when the engine cannot be asked to end it', async () => {
    const kill = async (): Promise<void> => {
      throw new Error('the engine is unavailable')
    }
    const gone = new AbortController()
    const running = runUntilAborted({ work: new Promise<number>(() => undefined), kill, signal: gone.signal })
    gone.abort(new Error('the caller went away'))
    await expect(running).rejects.toThrow('the caller went away')
  })
})
