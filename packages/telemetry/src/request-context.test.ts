import { currentContext, runWithContext } from './request-context.ts'

const tick = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the request context', () => {
  it('is undefined outside a request', () => {
    expect(currentContext()).toBeUndefined()
  })

  it('is carried through awaits and timers, and ends with the work', async () => {
    const seen = await runWithContext({ requestId: 'a' }, async () => {
      await tick()
      return currentContext()
    })
    expect(seen).toEqual({ requestId: 'a' })
    expect(currentContext()).toBeUndefined()
  })

  it('is not mixed up between requests served at once', async () => {
    const serve = async (requestId: string) =>
      runWithContext({ requestId }, async () => {
        await tick()
        return currentContext()?.requestId
      })
    expect(await Promise.all(['a', 'b', 'c'].map(serve))).toEqual(['a', 'b', 'c'])
  })
})
