import { AppError } from '@merx/errors/app-error'
import { toValidationError } from '@merx/jsonapi/validation-errors'
import { transitionTable } from '../../test/support/transition-table.ts'
import { defineStateMachine, triggersOf } from './define-state-machine.ts'
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

  it.each([
    ['a state that is listed twice', ['a', 'b', 'a'], { from: ['a'], to: 'b' } as const],
    ['a transition from no state', ['a', 'b'], { from: [], to: 'b' } as const],
    ['a transition that ends where it starts', ['a', 'b'], { from: ['a', 'b'], to: 'b' } as const],
    [
      'an automatic transition for integrations only',
      ['a', 'b'],
      { from: ['a'], to: 'b', only: 'integration', when: () => true } as const,
    ],
  ])('refuses %s', (_case, states, go) => {
    expect(() => defineStateMachine({ column, initial: 'a', states, transitions: { go } })).toThrow(
      'state machine of status: ',
    )
  })
})
