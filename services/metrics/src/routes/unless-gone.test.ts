import { unlessGone } from './unless-gone.ts'

const here = new AbortController().signal
const gone = AbortSignal.abort(new Error('the connection closed'))
const premature = Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })

describe('work whose caller may go away', () => {
  it('resolves as the work does', async () => {
    await expect(unlessGone(here, Promise.resolve())).resolves.toBeUndefined()
  })

  it.each([
    ['the reason of the signal', gone.reason as Error],
    ['a stream closed before its end', premature],
  ])('is no failure when it ended with %s', async (_name, error) => {
    await expect(unlessGone(gone, Promise.reject(error))).resolves.toBeUndefined()
  })

  it.each([
    ['by itself, for a caller who is gone', gone, new Error('the engine broke')],
    ['by itself', here, new Error('the engine broke')],
    ['with a closed stream, for a caller who is here', here, premature],
  ])('throws what failed %s', async (_name, signal, error) => {
    await expect(unlessGone(signal, Promise.reject(error))).rejects.toBe(error)
  })
})
