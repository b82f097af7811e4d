import { AppError } from '@merx/errors/app-error'
import { toValidationError } from '@merx/jsonapi/validation-errors'
import { transitionTable } from '../../test/support/transition-table.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import { defineStateMachine, triggersOf } from './define-state-machine.ts'
import type { Transition } from './define-state-machine.ts'
import { transition } from './transition.ts'

interface Parcel {
  readonly weight: number
  readonly isExpress: boolean
}

const hasWeight = ({ weight }: Parcel) =>
  weight > 0 ? [] : [{ at: { attribute: 'weight' }, error: 'blank', message: 'must be weighed' }]

const hasLabel = ({ weight }: Parcel) => (weight > 0 ? [] : [{ error: 'no_label', message: 'has no label' }])

const stampWeight = ({ weight }: Parcel) => ({ set: { sent_weight: weight } })

const parcels = defineStateMachine({
  column: 'status',
  initial: 'open',
  states: ['open', 'sent', 'expressed', 'lost', 'returned'],
  transitions: {
    express: {
      from: ['open'],
      to: 'expressed',
      trigger: '_send',
      when: ({ isExpress }: Parcel) => isExpress,
    },
    send: {
      from: ['open'],
      to: 'sent',
      trigger: '_send',
      guards: [hasWeight, hasLabel],
      effects: [stampWeight],
      topic: 'parcels.send',
    },
    lose: { from: ['sent', 'expressed'], to: 'lost', trigger: '_lose', only: 'integration' },
    return: { from: ['sent'], to: 'returned' },
    reopen: { from: ['returned'], to: 'open', when: ({ weight }: Parcel) => weight === 0 },
  },
})

const WRITE = { columns: { other: 1 } } as unknown as RowWrite
const parcel = { weight: 3, isExpress: false }
const send = { start: { trigger: '_send' }, subject: parcel }

test('every state and every trigger', async () => {
  const refused = 'invalid_transition'
  expect(await transitionTable(parcels, parcel)).toEqual({
    open: { automatic: 'repeated', _send: 'sent', _lose: refused },
    sent: { automatic: 'repeated', _send: 'repeated', _lose: 'lost' },
    expressed: { automatic: 'repeated', _send: 'repeated', _lose: 'lost' },
    lost: { automatic: 'repeated', _send: refused, _lose: 'repeated' },
    returned: { automatic: 'repeated', _send: refused, _lose: refused },
  })
})

describe('a transition', () => {
  it('sets the new state and the columns of its effects, and expects the old state', async () => {
    expect(await transition(parcels, { status: 'open' }, send)).toEqual({
      violations: [],
      set: { status: 'sent', sent_weight: 3 },
      expected: { status: 'open' },
      writes: [],
      topics: ['parcels.send'],
    })
  })

  it('changes nothing when it is repeated', async () => {
    expect(await transition(parcels, { status: 'sent' }, send)).toEqual({
      violations: [],
      set: {},
      expected: {},
      writes: [],
      topics: [],
    })
  })

  it('is refused with 422 at the state where it does not start', async () => {
    const { violations, set } = await transition(
      parcels,
      { status: 'lost' },
      {
        ...send,
        subject: { weight: 3, isExpress: true },
      },
    )
    expect(set).toEqual({})
    expect(violations.map(toValidationError)).toMatchObject([
      {
        code: 'validation_error',
        title: 'cannot transition from lost to expressed',
        detail: 'status - cannot transition from lost to expressed',
        source: { pointer: '/data/attributes/status' },
        meta: { error: 'invalid_transition' },
      },
    ])
  })

  it('reports the violations of all its guards, and then has no effect', async () => {
    const { violations, set, topics } = await transition(
      parcels,
      { status: 'open' },
      {
        ...send,
        subject: { weight: 0, isExpress: false },
      },
    )
    expect(violations.map(({ error }) => error)).toEqual(['blank', 'no_label'])
    expect([set, topics]).toEqual([{}, []])
  })

  it('is selected by its condition among those of one trigger', async () => {
    const { set } = await transition(
      parcels,
      { status: 'open' },
      {
        ...send,
        subject: { weight: 0, isExpress: true },
      },
    )
    expect(set).toEqual({ status: 'expressed' })
  })

  it('can be started by its name', async () => {
    const start = { transition: 'return' } as const
    const { set } = await transition(parcels, { status: 'sent' }, { start, subject: parcel })
    expect(set).toEqual({ status: 'returned' })
    const { violations } = await transition(parcels, { status: 'open' }, { start, subject: parcel })
    expect(violations.map(({ message }) => message)).toEqual(['cannot transition from open to returned'])
  })

  it('is automatic when its condition holds and it has no trigger', async () => {
    const subject = { weight: 0, isExpress: false }
    const { set } = await transition(parcels, { status: 'returned' }, { start: 'automatic', subject })
    expect(set).toEqual({ status: 'open' })
  })

  it('of integrations only is refused to sales channels in every state', async () => {
    for (const status of parcels.states) {
      const request = { start: { trigger: '_lose' }, subject: parcel, isSalesChannel: true }
      await expect(transition(parcels, { status }, request)).rejects.toThrow(AppError)
    }
    const { set } = await transition(parcels, { status: 'open' }, { ...send, isSalesChannel: true })
    expect(set).toMatchObject({ status: 'sent' })
  })

  it('of an unknown state or trigger is a mistake of the code', async () => {
    await expect(transition(parcels, { status: 'gone' }, send)).rejects.toThrow(
      'no state of its machine: gone',
    )
    const start = { trigger: '_paint' }
    await expect(transition(parcels, { status: 'open' }, { start, subject: parcel })).rejects.toThrow(
      '_paint is no trigger of the machine of status',
    )
  })
})

describe('a definition', () => {
  const column = 'status'

  it('lists each trigger once', () => {
    expect(triggersOf(parcels)).toEqual(['_send', '_lose'])
  })

  const defined = (states: readonly ('a' | 'b')[], go: Transition<'a' | 'b', object>) =>
    defineStateMachine({ column, initial: 'a', states, transitions: { go } })

  it.each<[string, readonly ('a' | 'b')[], Transition<'a' | 'b', object>]>([
    ['the state a is listed twice', ['a', 'b', 'a'], { from: ['a'], to: 'b' }],
    ['go starts from no state', ['a', 'b'], { from: [], to: 'b' }],
    ['go ends where it starts', ['a', 'b'], { from: ['a', 'b'], to: 'b' }],
    [
      'go is automatic, so nobody starts it',
      ['a', 'b'],
      { from: ['a'], to: 'b', only: 'integration', when: () => true },
    ],
    ['the state b is listed twice; go starts from no state', ['a', 'b', 'b'], { from: [], to: 'b' }],
  ])('is refused where %s', (mistake, states, go) => {
    expect(() => defined(states, go)).toThrow(new Error(`state machine of status: ${mistake}`))
  })

  it.each<[string, Partial<Transition<'a' | 'b', object>>]>([
    ['that selects among those of its trigger', { trigger: '_go', when: () => true }],
    ['that has no condition', {}],
  ])('may have a transition for integrations only %s', (_case, more) => {
    expect(() => defined(['a', 'b'], { from: ['a'], to: 'b', only: 'integration', ...more })).not.toThrow()
  })
})

describe('a plan', () => {
  const machine = defineStateMachine({
    column: 'status',
    initial: 'a',
    states: ['a', 'b', 'c'],
    transitions: {
      open: {
        from: ['a'],
        to: 'b',
        trigger: '_go',
        effects: [
          () => ({ set: { one: 1, two: 1 }, writes: [WRITE], topics: ['first'] }),
          () => ({ set: { two: 2 }, topics: ['second'] }),
          () => ({}),
        ],
      },
      closed: { from: ['b'], to: 'c', trigger: '_go', only: 'integration', topic: 'closed' },
      bare: { from: ['c'], to: 'a' },
    },
  })

  it('has all that its effects change, the later over the earlier, and no topic of its own', async () => {
    const planned = await transition(machine, { status: 'a' }, { start: { trigger: '_go' }, subject: {} })
    expect(planned).toEqual({
      violations: [],
      set: { one: 1, two: 2, status: 'b' },
      expected: { status: 'a' },
      writes: [WRITE],
      topics: ['first', 'second'],
    })
  })

  it('has the topic before those of effects, and none where there is none', async () => {
    const start = { trigger: '_go' }
    expect((await transition(machine, { status: 'b' }, { start, subject: {} })).topics).toEqual(['closed'])
    const bare = { transition: 'bare' } as const
    expect((await transition(machine, { status: 'c' }, { start: bare, subject: {} })).topics).toEqual([])
  })

  it('is refused to sales channels where one of the transitions of the trigger is', async () => {
    const request = { start: { trigger: '_go' }, subject: {}, isSalesChannel: true }
    await expect(transition(machine, { status: 'a' }, request)).rejects.toMatchObject({
      code: 'unauthorized',
    })
  })

  it('is none where the condition of a trigger holds and nobody sends it', async () => {
    const subject = { weight: 3, isExpress: true }
    const planned = await transition(parcels, { status: 'open' }, { start: 'automatic', subject })
    expect(planned.set).toEqual({})
  })
})
