import { createFakeClock } from '@merx/testing/fake-clock'
import { createRecordingLogger, silentLogger } from '@merx/testing/silent-logger'
import {
  createTokenEvents,
  HELD_MAX,
  WRITTEN_AT,
  type TokenEvent,
  type TokenRefused,
} from './token-events.ts'

const CLIENT = 'c'.repeat(43)

const issued = (tokenId: string) =>
  ({
    outcome: 'issued',
    grant: 'password',
    clientId: CLIENT,
    organizationId: 'orgorgorgo',
    owner: { type: 'Customer', id: 'customerAA' },
    tokenId,
    origin: '192.0.2.1',
  }) as const

const refused = (changes: Partial<TokenRefused> = {}) =>
  ({
    outcome: 'refused',
    grant: 'password',
    clientId: CLIENT,
    error: 'invalid_grant',
    origin: '192.0.2.1',
    ...changes,
  }) as const

const setUp = (log = silentLogger) => {
  const written: TokenEvent[] = []
  const state = { isUnavailable: false, calls: 0 }
  const append = async (events: readonly TokenEvent[]) => {
    state.calls += 1
    if (state.isUnavailable) throw new Error('unavailable')
    written.push(...events)
  }
  const clock = createFakeClock()
  return { written, state, clock, events: createTokenEvents({ append, clock, log }) }
}

/** What was begun in this turn of the event loop is done. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('token events', () => {
  it('tell of every token that was issued, written when flushed', async () => {
    const { events, written, clock } = setUp()
    const at = clock.now()
    events.record(issued('one'))
    clock.advance(0.5)
    events.record(issued('two'))
    expect(written).toEqual([])
    await events.flush()
    expect(written.map((event) => event.outcome === 'issued' && event.tokenId)).toEqual(['one', 'two'])
    expect(written[0]).toEqual({ ...issued('one'), occurredAt: at, count: 1 })
  })

  it('add equal refusals up, and keep different ones apart', async () => {
    const { events, written } = setUp()
    for (let count = 0; count < 1_000; count += 1) events.record(refused())
    events.record(refused({ origin: '192.0.2.2' }))
    events.record(refused({ error: 'invalid_scope' }))
    await events.flush()
    expect(written.map(({ count }) => count)).toEqual([1_000, 1, 1])
  })

  it('take no text of a caller: grants and client ids only as far as they are of our form', async () => {
    const { events, written } = setUp()
    for (const odd of ['x', '<script>', 7, null, undefined, { a: 1 }, ['a'], `${CLIENT}=`])
      events.record(refused({ grant: odd, clientId: odd }))
    await events.flush()
    expect(written).toHaveLength(1)
    expect(written[0]).toMatchObject({ grant: undefined, clientId: undefined, count: 8 })
  })

  it('that cannot be written are kept for the next time, in order and added up', async () => {
    const { events, written, state } = setUp()
    state.isUnavailable = true
    events.record(refused())
    events.record(issued('one'))
    await events.flush()
    events.record(refused())
    state.isUnavailable = false
    await events.flush()
    expect(written.map(({ outcome, count }) => [outcome, count])).toEqual([
      ['refused', 2],
      ['issued', 1],
    ])
  })

  it('are bounded while they cannot be written; what is dropped is logged', async () => {
    const { log, lines } = createRecordingLogger()
    const { events, written, state } = setUp(log)
    state.isUnavailable = true
    for (let number = 0; number < HELD_MAX + 7; number += 1) events.record(issued(`token ${number}`))
    state.isUnavailable = false
    for (let round = 0; round < 6; round += 1) await events.flush()
    expect(written).toHaveLength(HELD_MAX)
    expect(written[0]).toMatchObject({ tokenId: 'token 7' })
    expect(lines.map((line) => line['dropped'])).toEqual([7])
  })

  it('are written at once when a thousand wait, without waiting for the next flush', async () => {
    const { events, written, state } = setUp()
    for (let number = 0; number < WRITTEN_AT + 1; number += 1) events.record(issued(`token ${number}`))
    await turn()
    expect(written).toHaveLength(WRITTEN_AT + 1)
    expect(state.calls).toBe(1)
    for (let number = 0; number < WRITTEN_AT; number += 1) events.record(issued(`more ${number}`))
    await turn()
    expect([written.length, state.calls]).toEqual([2 * WRITTEN_AT + 1, 2])
  })

  it('that cannot be written do not make each further one try again', async () => {
    const { events, state } = setUp()
    state.isUnavailable = true
    for (let number = 0; number < 3 * WRITTEN_AT; number += 1) {
      events.record(issued(`token ${number}`))
      if (number % 100 === 0) await turn()
    }
    expect(state.calls).toBe(1)
  })

  it('cost no statement when nothing happened', async () => {
    const { events, state } = setUp()
    await events.flush()
    expect(state.calls).toBe(0)
  })
})
