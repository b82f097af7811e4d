import { randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'
import { createRedisWindowClient } from './redis-window-client.ts'

const STATE = [1, 60_000] as const
const clock = { now: () => new Date() }

/** As much of ioredis as the client uses. */
const clientOf = (rlflxIncr: () => Promise<typeof STATE>, timeoutMs: number) =>
  createRedisWindowClient({
    redis: { status: 'ready', rlflxIncr } as unknown as Redis,
    clock,
    time: 'redis',
    timeoutMs,
  })

const block = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

describe('the time that Redis has to answer', () => {
  it('does not count while this process is too busy to read the answer', async () => {
    const answered = () =>
      new Promise<typeof STATE>((resolve, reject) => {
        // answered by another thread, as a socket is
        randomBytes(8, (error) => (error === null ? resolve(STATE) : reject(error)))
      })
    const counted = clientOf(answered, 50).rlflxIncr([])
    block(200)
    await expect(counted).resolves.toEqual(STATE)
  })

  it('ends', async () => {
    const client = clientOf(() => new Promise(() => undefined), 50)
    await expect(client.rlflxIncr([])).rejects.toThrow('Redis did not answer within 50 ms')
    await expect(client.rlflxIncr([])).rejects.toThrow('Redis failed a moment ago')
  })
})
