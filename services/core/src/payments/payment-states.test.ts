import { transitionEffects } from '../../test/support/transition-effects.ts'
import { transition } from '../states/transition.ts'
import { paymentStates } from './payment-states.ts'
import type { PaymentTransition } from './payment-states.ts'

const now = new Date(0)
const names = Object.keys(paymentStates.transitions) as PaymentTransition[]

/** Of each status: the transitions that change it. Every other one is repeated or refused. */
const changing = {
  unpaid: ['authorize', 'authorizePartially', 'free'],
  authorized: ['pay', 'payPartially', 'void', 'voidPartially', 'reset', 'resetPartially'],
  partially_authorized: ['authorize', 'pay', 'payPartially', 'void', 'voidPartially', 'reset'],
  paid: ['refund', 'refundPartially', 'reset', 'resetPartially'],
  partially_paid: ['pay', 'payRefunded', 'refund', 'refundPartially', 'reset', 'resetPartially'],
  voided: [],
  partially_voided: ['pay', 'payPartially', 'void'],
  refunded: [],
  partially_refunded: ['refund'],
  free: ['reset'],
}

test.each(paymentStates.states)('an order that is %s', async (status) => {
  const outcomes = names.map(async (name) => {
    const start = { transition: name }
    const { set } = await transition(paymentStates, { payment_status: status }, { start, subject: { now } })
    if ('payment_status' in set) expect(set['payment_updated_at']).toBe(now)
    return 'payment_status' in set ? [name] : []
  })
  expect((await Promise.all(outcomes)).flat()).toEqual(changing[status])
})

test('refuses to pay what is not authorized', async () => {
  const start = { transition: 'pay' } as const
  const { violations } = await transition(
    paymentStates,
    { payment_status: 'unpaid' },
    { start, subject: { now } },
  )
  expect(violations.map(({ message }) => message)).toEqual(['cannot transition from unpaid to paid'])
})

test('every transition of a payment status, with what it changes', async () => {
  const to = (payment_status: string) => ({ payment_status, payment_updated_at: now })
  const { initial, ...effects } = await transitionEffects(paymentStates, { now })
  expect(initial).toBe('unpaid')
  expect(Object.entries(effects).map(([name, effect]) => [name, effect[0], effect[2], effect[3]])).toEqual([
    ['authorize', 'code', to('authorized'), 'orders.authorize'],
    ['authorizePartially', 'code', to('partially_authorized'), ''],
    ['pay', 'code', to('paid'), 'orders.pay'],
    ['payPartially', 'code', to('partially_paid'), ''],
    ['payRefunded', 'code', to('partially_refunded'), 'orders.pay'],
    ['void', 'code', to('voided'), 'orders.void'],
    ['voidPartially', 'code', to('partially_voided'), ''],
    ['refund', 'code', to('refunded'), 'orders.refund'],
    ['refundPartially', 'code', to('partially_refunded'), 'orders.refund'],
    ['free', 'code', to('free'), ''],
    ['reset', 'code', to('unpaid'), ''],
    ['resetPartially', 'code', to('partially_authorized'), ''],
  ])
})
