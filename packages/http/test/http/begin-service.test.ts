import { createRecordingLogger } from '@merx/testing/silent-logger'
import { beginService } from '../../src/begin-service.ts'
import type { Service } from '../../src/service.ts'

class Unavailable extends Error {}

const begin = (attempts: readonly { open?: Error; start?: Error }[], ending = new AbortController()) => {
  const { log, lines } = createRecordingLogger()
  const acts: string[] = []
  let attempt = 0
  const open = async (): Promise<Service> => {
    const { open: atOpen, start: atStart } = attempts[attempt] ?? {}
    attempt += 1
    acts.push('open')
    if (atOpen !== undefined) throw atOpen
    return {
      app: () => undefined,
      internalApp: () => undefined,
      start: async () => {
        acts.push('start')
        if (atStart !== undefined) throw atStart
      },
      close: async () => void acts.push('close'),
    }
  }
  const begun = beginService({
    name: 'shop',
    log,
    signal: ending.signal,
    waitForAll: async () => void acts.push('wait'),
    open,
    isUnavailable: (error) => error instanceof Unavailable,
  })
  return { begun, acts, lines }
}

describe('beginService', () => {
  it('begins again when a dependency becomes unavailable while it opens or starts, and closes what was open', async () => {
    const { begun, acts, lines } = begin([
      { open: new Unavailable('gone') },
      { start: new Unavailable('gone') },
      {},
    ])
    expect(await begun).toBeDefined()
    expect(acts).toEqual(['wait', 'open', 'wait', 'open', 'start', 'close', 'wait', 'open', 'start'])
    expect(lines.map(({ msg }) => msg)).toEqual(
      Array(2).fill('shop lost a dependency while it started; it begins again'),
    )
  })

  it('fails with any other failure, and closes what was open', async () => {
    const { begun, acts } = begin([{ start: new Error('a defect') }])
    await expect(begun).rejects.toThrow('a defect')
    expect(acts).toEqual(['wait', 'open', 'start', 'close'])
  })

  it('stops waiting when the process gets a stop signal', async () => {
    const ending = new AbortController()
    const { begun, acts } = begin([{ open: new Unavailable('gone') }], ending)
    ending.abort()
    expect(await begun).toBeUndefined()
    expect(acts).not.toContain('start')
  })
})
