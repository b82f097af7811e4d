import type { OrderDocument } from '@merx/order-feed/order-document'
import { makeDocuments } from '../../test/support/documents.ts'
import { aggregatedDetails } from './aggregated-details.ts'
import { currentDate, secondsInApproved, secondsInDraft, secondsInPlaced } from './derived.ts'
import { toRowOrder } from './order-row.ts'

const [base] = makeDocuments(1, 1) as [OrderDocument]

describe('what follows from a document', () => {
  const [created, placed, approved, cancelled] = [1, 2, 3, 4].map(
    (day) => `2022-01-0${day}T00:00:00.000Z`,
  ) as [string, string, string, string]
  const order = (status: string, approved_at: string | null, cancelled_at: string | null): OrderDocument => ({
    ...base,
    status,
    created_at: created,
    placed_at: placed,
    approved_at,
    cancelled_at,
  })

  it.each([
    ['placed', order('placed', null, null), placed],
    ['approved', order('approved', approved, null), approved],
    ['cancelled', order('cancelled', approved, cancelled), cancelled],
    ['editing', order('editing', approved, null), approved],
    ['draft', { ...order('draft', null, null), placed_at: null }, created],
  ])('the current date of an order that is %s is that of its status', (_status, document, expected) => {
    expect(currentDate(document)).toBe(expected)
  })

  it('counts the time as placed only for orders that were never approved', () => {
    const durationsOf = (document: OrderDocument) => ({
      seconds_in_draft: secondsInDraft(document),
      seconds_in_approved: secondsInApproved(document),
      seconds_in_placed: secondsInPlaced(document),
    })
    expect(durationsOf(order('approved', approved, null))).toEqual({
      seconds_in_draft: 86_400,
      seconds_in_approved: 86_400,
      seconds_in_placed: null,
    })
    expect(durationsOf(order('cancelled', null, cancelled))).toEqual({
      seconds_in_draft: 86_400,
      seconds_in_approved: null,
      seconds_in_placed: 172_800,
    })
    expect(durationsOf(order('placed', null, null))).toMatchObject({
      seconds_in_approved: null,
      seconds_in_placed: null,
    })
  })
})

describe('the time as draft', () => {
  const at = (created_at: string, placed_at: string | null): number | null =>
    secondsInDraft({ ...base, created_at, placed_at })

  it.each([
    ['2022-01-01T00:00:00.000Z', '2022-01-01T00:01:00.000Z', 60],
    ['2022-01-01T00:00:00.000Z', '2022-01-01T00:00:00.000Z', 0],
    ['2022-01-01T00:00:00.000Z', '2021-12-31T23:59:59.999Z', null],
    ['2022-01-01T00:00:00.000Z', '2019-06-01T12:00:00.000Z', null],
    ['2022-01-01T00:00:00.000Z', null, null],
  ])('of an order created at %s and placed at %s is %p', (created, placed, seconds) => {
    expect(at(created, placed)).toBe(seconds)
  })
})

describe('toRowOrder', () => {
  it('writes amounts in currency units, by the digits of the currency', () => {
    const amounts = { ...base.amounts, total: 1234, total_with_taxes: 2000 }
    const refunds = [{ id: 'refundAAAA', number: '1', amount_cents: 500 }]
    expect(toRowOrder({ ...base, minor_unit_digits: 2, amounts, refunds })).toMatchObject({
      total_amount: '12.34',
      refunds_total_amount_with_taxes: '5.00',
      total_amount_with_taxes_net_of_refunds: '15.00',
      'refunds.amount': ['5.00'],
    })
    expect(toRowOrder({ ...base, minor_unit_digits: 0, amounts })).toMatchObject({ total_amount: '1234' })
  })

  it('gives every column of a list the same length', () => {
    for (const document of makeDocuments(2, 50)) {
      const row = toRowOrder(document)
      for (const tree of ['line_items', 'shipments', 'refunds', 'tags', 'resource_errors'] as const) {
        const lengths = Object.entries(row).flatMap(([name, value]) =>
          name.startsWith(`${tree}.`) ? [(value as unknown[]).length] : [],
        )
        expect(new Set(lengths)).toEqual(new Set([document[tree].length]))
      }
    }
  })
})

describe('aggregatedDetails', () => {
  it('holds each text once, a line each, and nothing for what is missing', () => {
    const details = aggregatedDetails({
      ...base,
      customer: null,
      billing_address: null,
      reference: null,
    }).split('\n')
    expect(details).toContain(base.number)
    expect(details).toContain(base.status)
    expect(new Set(details).size).toBe(details.length)
    expect(details).not.toContain('')
    expect(details).not.toContain('null')
  })
})
