import { pause } from './pause.ts'

describe('pause', () => {
  it('ends at once when the signal aborts, without an error', async () => {
    const stop = new AbortController()
    const paused = pause(3_600_000, stop.signal)
    stop.abort(new Error('closing'))
    await expect(paused).resolves.toBeUndefined()
  })

  it('does not begin to wait after the signal aborted', async () => {
    await expect(pause(3_600_000, AbortSignal.abort())).resolves.toBeUndefined()
  })

  it('lasts as long as it was asked to', async () => {
    const startedMs = performance.now()
    await pause(20, new AbortController().signal)
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(19)
  })
})
