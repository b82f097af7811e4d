import { readQuestion } from './question.ts'
import { exportableOf, toCurl, toExport, toJavaScript, toRequest } from './request.ts'

const now = new Date('2026-11-27T08:15:30.500Z')
const dates = { date_field: 'placed_at', date_from: '2026-10-29T00:00:00Z', date_to: '2026-11-27T08:15:30Z' }

describe('what is sent', () => {
  it('of a breakdown is its query and filter, sections within sections', () => {
    const question = readQuestion({
      ...{ kind: 'breakdown', by: 'market.name', field: 'order.total_amount', operator: 'sum' },
      ...{ date: 'placed_at', split: 'order.status', condition: ['gte', 10], limit: 5, sort: 'asc' },
      filters: [
        ['shipments.stock_location.ids', 'in', ['a']],
        ['shipments.statuses', 'in', ['shipped']],
        ['order.guest', 'is', false],
        ['order.aggregated_details', 'query', 'ada'],
      ],
    })
    expect(toRequest(question, now)).toEqual({
      path: 'orders/breakdown',
      body: {
        breakdown: {
          ...{ by: 'market.name', field: 'order.total_amount', operator: 'sum', sort: 'asc', limit: 5 },
          condition: { gte: 10 },
          breakdown: { by: 'order.status', field: 'order.total_amount', operator: 'sum', limit: 5 },
        },
        filter: {
          order: { ...dates, guest: false, aggregated_details: { query: 'ada' } },
          shipments: { stock_location: { ids: { in: ['a'] } }, statuses: { in: ['shipped'] } },
        },
      },
    })
  })

  it.each([
    [
      'date_breakdown',
      { by: 'order.placed_at', field: 'order.total_amount', operator: 'avg', interval: 'week' },
    ],
    ['stats', { field: 'order.total_amount', operator: 'avg' }],
  ])('of %s is what it takes', (kind, query) => {
    const question = readQuestion({ kind, date: 'placed_at', limit: 7, sort: 'asc', ...query })
    expect(toRequest(question, now)).toEqual({
      path: `orders/${kind}`,
      body: { [kind]: query, filter: { order: dates } },
    })
  })

  it('of a search and its file differs in what a file can have', () => {
    const fields = ['order.number', 'line_items.code']
    const question = readQuestion({
      kind: 'search',
      fields,
      date: 'placed_at',
      from: '2026-01-01',
      to: '2026-01-31',
    })
    const filter = {
      order: { date_field: 'placed_at', date_from: '2026-01-01T00:00:00Z', date_to: '2026-01-31T23:59:59Z' },
    }
    expect(toRequest(question, now).body).toEqual({
      search: { fields, sort: 'desc', sort_by: 'order.placed_at', limit: 50 },
      filter,
    })
    expect(exportableOf(question)).toEqual(['order.number'])
    expect(toExport(question, now)).toEqual({
      path: 'orders/export',
      body: { search: { fields: ['order.number'], sort: 'desc', sort_by: 'order.placed_at' }, filter },
    })
  })
})

describe('the request for others', () => {
  const question = readQuestion({
    kind: 'stats',
    field: 'order.total_amount',
    operator: 'sum',
    filters: [['order.references', 'in', ["O'Hara"]]],
  })

  it('is a command with the token as a variable, quoted for a shell', () => {
    const curl = toCurl(toRequest(question, now), 'https://shop.example')
    expect(curl).toContain("'https://shop.example/metrics/orders/stats'")
    expect(curl).toContain('-H "Authorization: Bearer $TOKEN"')
    expect(curl).toContain(String.raw`O'\''Hara`)
  })

  it('is JavaScript that sends the same', () => {
    const code = toJavaScript(toRequest(question, now), 'https://shop.example')
    const body = /JSON\.stringify\((?<body>[\s\S]*)\),\n\}\)/.exec(code)?.groups?.['body'] ?? ''
    expect(JSON.parse(body)).toEqual(toRequest(question, now).body)
  })
})
