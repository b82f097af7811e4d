import { moneyMoves, sumOf } from './money-moves.ts'

describe('the money of a transaction', () => {
  it('can be moved while something is left of it and the order is far enough', () => {
    const capture = { type: 'captures', refund_balance_cents: 500 }
    expect(moneyMoves(capture, 'approved')).toEqual([{ trigger: '_refund', leftCents: 500 }])
    expect(moneyMoves(capture, 'cancelled')).toEqual([])
    expect(moneyMoves({ ...capture, refund_balance_cents: 0 }, 'approved')).toEqual([])
    const authorization = { capture_balance_cents: 500, void_balance_cents: 500 }
    expect(moneyMoves(authorization, 'approved').map(({ trigger }) => trigger)).toEqual(['_capture', '_void'])
    expect(moneyMoves(authorization, 'placed').map(({ trigger }) => trigger)).toEqual(['_void'])
  })

  it('is added up of what succeeded', () => {
    const transactions = [
      { type: 'captures', succeeded: true, amount_cents: 500 },
      { type: 'captures', succeeded: false, amount_cents: 70 },
      { type: 'refunds', succeeded: true, amount_cents: 20 },
    ]
    expect([sumOf(transactions, 'captures'), sumOf(transactions, 'refunds')]).toEqual([500, 20])
  })
})
