import { readOrderSearch, toFilters } from './order-search.ts'

describe('the address of the order list', () => {
  it('gives filters, a text and a page', () => {
    const search = readOrderSearch({ status: 'placed', payment_status: 'paid', text: ' 1234 ', page: '3' })
    expect(search).toEqual({ status: 'placed', payment_status: 'paid', text: '1234', page: 3 })
    expect(toFilters(search)).toEqual({
      status_eq: 'placed',
      payment_status_eq: 'paid',
      number_or_customer_email_cont: '1234',
    })
  })

  it('drops what makes no sense', () => {
    expect(readOrderSearch({ status: 'lost', text: '', page: '-1', more: 'x' })).toEqual({})
    expect(readOrderSearch({ status: ['placed'], text: { a: 1 }, page: 'Infinity' })).toEqual({})
    expect(readOrderSearch({ text: 'a'.repeat(300) }).text).toHaveLength(200)
  })

  it('reads a number, which the router makes of digits, as a text', () => {
    expect(readOrderSearch({ text: 50042 })).toEqual({ text: '50042' })
  })
})
