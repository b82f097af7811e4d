import { checkHistory } from './check-history.ts'
import type { Entry, FinalOrder, History } from './entry.ts'

const wrote = (
  step: 'place' | 'approve' | 'capture' | 'cancel',
  from: number,
  outcome: Entry['outcome'] = 200,
): Entry => ({
  ...{ client: 'buyer', from, to: from + 10, outcome },
  what: { kind: 'write', step, order: 'A' },
})
const stock = (available: number, from: number): Entry => ({
  ...{ client: 'reader', from, to: from + 10, outcome: 200 },
  what: { kind: 'stock', sku: 'S', available },
})
const seen = (status: string, from: number, updatedAt = '2026-01-01'): Entry => ({
  ...{ client: 'reader', from, to: from + 10, outcome: 200 },
  what: { kind: 'order', order: 'A', status, paymentStatus: 'paid', totalCents: 200, updatedAt },
})
const counted = (count: number, from: number): Entry => ({
  ...{ client: 'reader', from, to: from + 10, outcome: 200 },
  what: { kind: 'count', count },
})

/** An order of two pieces at a euro each, of five, that was placed, approved and paid. */
const SOLD: FinalOrder = {
  ...{ status: 'approved', paymentStatus: 'paid' },
  ...{ totalCents: 200, capturedCents: 200, refundedCents: 0 },
}
const ENTRIES = [wrote('place', 100), wrote('approve', 200), wrote('capture', 300)]

const historyOf = (
  more: readonly Entry[],
  {
    final = SOLD,
    last = 3,
    entries = ENTRIES,
  }: { final?: FinalOrder; last?: number; entries?: readonly Entry[] } = {},
): History => ({
  entries: [...entries, ...more],
  carts: new Map([['A', { sku: 'S', quantity: 2 }]]),
  stock: new Map([['S', { first: 5, last }]]),
  orders: new Map([['A', final]]),
  unitCents: 100,
})

const CANCELLED: FinalOrder = { ...SOLD, status: 'cancelled', paymentStatus: 'voided', capturedCents: 0 }

describe('a history', () => {
  it.each<readonly [string, History]>([
    ['of a sale', historyOf([])],
    [
      'read before, while and after it was placed',
      historyOf([stock(5, 50), stock(5, 95), stock(3, 95), stock(3, 120)]),
    ],
    [
      'with a request that was answered by nobody',
      historyOf([], { entries: [wrote('place', 50, 503), ...ENTRIES] }),
    ],
    [
      'that was cancelled',
      historyOf([], { entries: [wrote('place', 100), wrote('cancel', 200)], final: CANCELLED, last: 5 }),
    ],
    [
      'read in turn',
      historyOf([
        seen('pending', 50),
        seen('placed', 120),
        seen('approved', 220),
        counted(1, 50),
        counted(2, 60),
      ]),
    ],
  ])('%s is right', (_what, history) => {
    expect(checkHistory(history)).toEqual([])
  })

  it.each<readonly [string, History, readonly string[]]>([
    [
      'an approval that is lost',
      historyOf([], { final: { ...SOLD, status: 'placed' } }),
      [
        'A: approve was acknowledged, and it is placed and paid',
        'A: capture was acknowledged, and it is placed and paid',
      ],
    ],
    [
      'a cancellation that nobody asked for',
      historyOf([], { final: CANCELLED, entries: [wrote('place', 100), wrote('cancel', 200, 422)], last: 5 }),
      ['A is cancelled and voided, and nobody asked for cancel'],
    ],
    [
      'money that was taken twice',
      historyOf([], { final: { ...SOLD, capturedCents: 400 } }),
      ['A is paid, and 400 cents of 200 were kept'],
    ],
    ['another price', historyOf([], { final: { ...SOLD, totalCents: 100 } }), ['A costs 100 cents, not 200']],
    ['a piece that is lost', historyOf([], { last: 2 }), ['S: 2 are left of 5, and 2 were sold']],
    [
      'stock that is taken before it is asked for',
      historyOf([stock(3, 50)]),
      ['reader read 3 of S at 60 ms; possible: 5 to 5'],
    ],
    [
      'stock that is still there after it was taken',
      historyOf([stock(5, 120)]),
      ['reader read 5 of S at 130 ms; possible: 3 to 3'],
    ],
    [
      'an order read as it was before its approval',
      historyOf([seen('placed', 220)]),
      ['reader read A as placed after approve had been acknowledged'],
    ],
    [
      'a count that goes back',
      historyOf([counted(2, 50), counted(1, 70)]),
      [
        'reader read the count of metrics as it was before: {"rank":1,"updatedAt":""} after {"rank":2,"updatedAt":""}',
      ],
    ],
    [
      'a record that goes back',
      historyOf([seen('approved', 220, '2026-01-02'), seen('approved', 240, '2026-01-01')]),
      [
        'reader read A as it was before: {"rank":2,"updatedAt":"2026-01-01"} after {"rank":2,"updatedAt":"2026-01-02"}',
      ],
    ],
  ])('with %s is wrong', (_what, history, sentences) => {
    expect(checkHistory(history)).toEqual(sentences)
  })

  it('in which more was sold than there was is wrong', () => {
    const { carts, ...rest } = historyOf([])
    expect(carts.size).toBe(1)
    const many = new Map([['A', { sku: 'S', quantity: 6 }]])
    const final = { ...SOLD, totalCents: 600, capturedCents: 600 }
    expect(checkHistory({ ...rest, carts: many, orders: new Map([['A', final]]) })).toEqual([
      'S: 6 of 5 were sold',
    ])
  })
})
