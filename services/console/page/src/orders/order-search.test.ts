import { readOrderSearch, toFilters } from './order-search.ts'

describe('the address of the order list', () => {
  it('gives filters, a text and a page', () => {
    const search = readOrderSearch({ status: 'placed', payment_status: 'paid', text: ' 1234 ', page: '3' })
    expect(search).toEqual({ status: 'placed', payment_status: 'paid', text: '1234', page: 3 })
    expect(toFilters(search)).toEqual({
      status_eq: 'placed',
      payment_status_eq: 'paid',
      number_or_customer_email_or_reference_cont: '1234',
    })
  })

  it('gives a market, whole days of placing, and what is archived', () => {
    const search = {
      market: 'uhxLBcJMNW',
      placed_from: '2026-11-01',
      placed_to: '2026-12-31',
      archived: 'no',
    }
    expect(readOrderSearch(search)).toEqual(search)
    expect(toFilters(search)).toEqual({
      market_id_eq: 'uhxLBcJMNW',
      placed_at_gteq: '2026-11-01T00:00:00Z',
      placed_at_lt: '2027-01-01T00:00:00Z',
      archived_at_null: 'true',
    })
    expect(toFilters({ archived: 'yes' })).toEqual({ archived_at_null: 'false' })
  })

  it('drops what makes no sense', () => {
    expect(readOrderSearch({ status: 'lost', text: '', page: '-1', more: 'x' })).toEqual({})
    expect(readOrderSearch({ status: ['placed'], text: { a: 1 }, page: 'Infinity' })).toEqual({})
    expect(readOrderSearch({ market: 'a/b', placed_from: '2026-02-30', placed_to: 'today' })).toEqual({})
    expect(readOrderSearch({ text: 'a'.repeat(300) }).text).toHaveLength(200)
  })

  it('reads a number, which the router makes of digits, as a text', () => {
    expect(readOrderSearch({ text: 50042 })).toEqual({ text: '50042' })
  })
})
