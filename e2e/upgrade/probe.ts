/** How long a write and a read of core take at worst while something happens: what waits for a lock shows here. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Lab } from '../faults/support/lab.ts'
import { createRecord, createUser, type User } from '../faults/support/user.ts'
import type { CollectionDocument } from '../support/wire.ts'

const PAUSE_MS = 10

export interface Waits {
  readonly longestWriteMs: number
  readonly longestReadMs: number
}

export interface Probe {
  begin(): void
  /** Of what was answered, or begun, since begin(). */
  end(): Waits
  stop(): Promise<void>
}

const firstOrder = async (user: User): Promise<string> => {
  const reply = await user.core(
    'GET',
    'orders?page%5Bsize%5D=1&filter%5Bq%5D%5Bstatus_eq%5D=approved&sort=-id',
  )
  const id = reply?.json<CollectionDocument>().data[0]?.id
  if (id === undefined) throw new Error('the demo has no approved order')
  return id
}

export const startProbe = async (lab: Lab): Promise<Probe> => {
  const user = createUser({
    lab,
    record: createRecord(),
    organization: 0,
    credential: 'integration',
    allowed: new Set(),
  })
  const id = await firstOrder(user)
  const longest = { write: 0, read: 0 }
  const startedAt = { write: performance.now(), read: performance.now() }
  let isRunning = true
  const repeat = async (kind: 'write' | 'read', act: (turn: number) => Promise<unknown>): Promise<void> => {
    for (let turn = 1; isRunning; turn += 1) {
      startedAt[kind] = performance.now()
      await act(turn)
      longest[kind] = Math.max(longest[kind], performance.now() - startedAt[kind])
      await wait(PAUSE_MS)
    }
  }
  const running = [
    repeat('write', (turn) => {
      const attributes = { reference_origin: `probe-${turn}` }
      return user.core('PATCH', `orders/${id}`, { data: { type: 'orders', id, attributes } })
    }),
    repeat('read', () => user.core('GET', `orders/${id}?include=line_items,shipping_address`)),
  ]
  return {
    begin: () => {
      longest.write = 0
      longest.read = 0
    },
    end: () => ({ longestWriteMs: Math.round(longest.write), longestReadMs: Math.round(longest.read) }),
    stop: async () => {
      isRunning = false
      await Promise.all(running)
    },
  }
}
