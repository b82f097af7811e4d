import { createFakeClock } from '@merx/testing/fake-clock'
import type { AccessState } from './access-state.ts'
import { createChangeSignal } from './change-signal.ts'
import { followAccessState } from './follow-access-state.ts'

const setUp = (isListening = true) => {
  const changes = createChangeSignal()
  const state = { version: 5 }
  const asked: number[] = []
  const reader = {
    currentVersion: async () => state.version,
    readAfter: async (after: number): Promise<AccessState> => {
      asked.push(after)
      return { version: state.version, revocations: [], changes: [], withdrawnKeys: [], roles: [] }
    },
  }
  const stop = new AbortController()
  const follow = (after: number, waitMs: number) =>
    followAccessState(
      { reader, changes, clock: createFakeClock(), isListening: () => isListening },
      { after, waitMs, signal: stop.signal },
    )
  return { changes, state, asked, stop, follow }
}

describe('following the access state', () => {
  it('gives the whole state at once to who has none', async () => {
    const { asked, follow } = setUp()
    expect(await follow(0, 25_000)).toMatchObject({ version: 5 })
    expect(asked).toEqual([0])
  })

  it('gives news at once', async () => {
    const { asked, follow } = setUp()
    expect(await follow(3, 25_000)).toMatchObject({ version: 5 })
    expect(asked).toEqual([3])
  })

  it('waits for a change and is woken by it', async () => {
    const { changes, state, follow } = setUp()
    const answer = follow(5, 25_000)
    await Promise.resolve()
    state.version = 6
    changes.notify()
    expect(await answer).toMatchObject({ version: 6 })
  })

  it('continues to wait when it is woken without a change', async () => {
    const { changes, state, follow } = setUp()
    const answer = follow(5, 25_000)
    for (let count = 0; count < 5; count += 1) {
      changes.notify()
      await new Promise((resolve) => setImmediate(resolve))
    }
    state.version = 6
    changes.notify()
    expect(await answer).toMatchObject({ version: 6 })
  })

  it('answers with the same version when the time is over', async () => {
    expect(await setUp().follow(5, 5)).toMatchObject({
      version: 5,
      revocations: [],
      changes: [],
      withdrawnKeys: [],
      roles: [],
    })
  })

  it('answers when the service stops or the caller is gone', async () => {
    const { stop, follow } = setUp()
    const answer = follow(5, 25_000)
    stop.abort()
    expect(await answer).toMatchObject({ version: 5 })
  })

  it('finds changes by itself while nobody announces them', async () => {
    const { state, follow } = setUp(false)
    const answer = follow(5, 25_000)
    state.version = 6
    expect(await answer).toMatchObject({ version: 6 })
  })

  it('sends the whole state to a reader that is ahead of a restored database', async () => {
    const { asked, follow } = setUp()
    await follow(99, 25_000)
    expect(asked).toEqual([0])
  })
})
