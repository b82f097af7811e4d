import { waitForStopSignal } from './stop-signal.ts'

describe('the signal to stop', () => {
  afterEach(() => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal)
  })

  it('settles at the first one and takes its repetition for the same', async () => {
    const stopSignal = waitForStopSignal()
    process.emit('SIGINT')
    process.emit('SIGINT')
    await expect(stopSignal).resolves.toBeUndefined()
  })
})
