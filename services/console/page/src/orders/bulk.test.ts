import { bulkActions, doToEach, type Outcome } from './bulk.ts'

const order = (id: string, status: string, payment_status: string) => ({
  ...{ id, status, payment_status, fulfillment_status: 'unfulfilled', archived_at: null },
})

describe('one action for several orders', () => {
  it('is offered for those that take it, and not when none does', () => {
    const chosen = [
      ...[order('a', 'placed', 'authorized'), order('b', 'placed', 'unpaid')],
      order('c', 'approved', 'authorized'),
    ]
    const offered = bulkActions(chosen).map(({ trigger, orders }) => [
      trigger,
      orders.map(({ id }) => id).join(''),
    ])
    expect(offered).toEqual([
      ...[
        ['_approve', 'a'],
        ['_approve_and_capture', 'a'],
        ['_capture', 'c'],
      ],
      ...[
        ['_cancel', 'abc'],
        ['_archive', 'abc'],
      ],
    ])
    expect(bulkActions([])).toEqual([])
  })

  it('is done to each in turn, and goes on after one that is refused', async () => {
    const seen: (readonly Outcome<string>[])[] = []
    const refusal = new Error('no')
    const act = (name: string) => (name === 'b' ? Promise.reject(refusal) : Promise.resolve())
    await doToEach(['a', 'b', 'c'], act, (outcomes) => seen.push(outcomes))
    expect(seen.at(-1)).toEqual([{ order: 'a' }, { order: 'b', error: refusal }, { order: 'c' }])
    expect(seen.map(({ length }) => length)).toEqual([1, 2, 3])
  })
})
