import { createRecordingLogger } from '@merx/testing/silent-logger'
import { waitFor } from '../../src/wait-for.ts'

describe('waitFor', () => {
  it('tries until it works, says once for what and why, and that it is there', async () => {
    const { log, lines } = createRecordingLogger()
    const heard: string[] = []
    let tries = 0
    const check = async () => {
      tries += 1
      if (tries < 3) throw new Error('postgresql://u:hunter2@db refused')
    }
    await waitFor(
      { place: 'PostgreSQL at db', check },
      { log, signal: new AbortController().signal, onWaiting: (reason) => heard.push(reason) },
    )
    expect(heard).toHaveLength(2)
    expect(heard[0]).toMatch(/^PostgreSQL at db: .*refused$/)
    expect(lines.map(({ msg, dependency }) => [msg, dependency])).toEqual([
      ['waiting for a dependency', 'PostgreSQL at db'],
      ['what was waited for is there', 'PostgreSQL at db'],
    ])
    expect(JSON.stringify([heard, lines])).not.toContain('hunter2')
  })

  it('stops waiting when the process gets a stop signal', async () => {
    const { log } = createRecordingLogger()
    const ending = new AbortController()
    const waiting = waitFor(
      { place: 'nothing', check: () => Promise.reject(new Error('never')) },
      { log, signal: ending.signal, onWaiting: () => ending.abort() },
    )
    await expect(waiting).resolves.toBeUndefined()
  })
})
