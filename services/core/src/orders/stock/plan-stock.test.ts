import { allocateStock, isPlanCovered, matchReservations } from './plan-stock.ts'
import type { LineOfSku, StockLine } from './plan-stock.ts'
import type { StockPlace } from './stock-places.ts'

const place = (id: number, quantity: number, more: Partial<StockPlace> = {}): StockPlace => ({
  id,
  sku_id: 1,
  stock_location_id: id,
  quantity,
  reserved: 0,
  own: 0,
  is_counted: true,
  ...more,
})
const line = (quantity: number, more: Partial<LineOfSku> = {}): LineOfSku => ({
  line: 10,
  sku: 1,
  quantity,
  isTracked: true,
  ...more,
})
const stockLine = (quantity: number, item: number | null): StockLine => ({
  id: 20,
  line_item_id: 10,
  stock_item_id: item,
  sku_id: 1,
  quantity,
})
const share = (stockItem: number | null, quantity: number, of = 10) => ({
  line: of,
  sku: 1,
  stockItem,
  quantity,
})

describe('stock is allocated', () => {
  it('from the first places that have it', () => {
    const { shares, shortages } = allocateStock([line(5)], [], [place(1, 3), place(2, 9)])
    expect([shares, shortages]).toEqual([[share(1, 3), share(2, 2)], []])
  })

  it('of what is not promised to others', () => {
    const { shares } = allocateStock([line(2)], [], [place(1, 3, { reserved: 2 }), place(2, 9)])
    expect(shares).toEqual([share(1, 1), share(2, 1)])
  })

  it('of what is promised to the order itself', () => {
    const { shares } = allocateStock([line(2)], [], [place(1, 2, { reserved: 2, own: 2 })])
    expect(shares).toEqual([share(1, 2)])
  })

  it('from locations within the cutoff only', () => {
    const { shortages } = allocateStock([line(1)], [], [place(1, 9, { is_counted: false })])
    expect(shortages).toEqual([{ sku: 1, quantity: 1, missing: 1 }])
  })

  it('once, however many lines want it', () => {
    const { shares, shortages } = allocateStock([line(2), line(2, { line: 11 })], [], [place(1, 3)])
    expect(shares).toEqual([share(1, 2), share(1, 1, 11)])
    expect(shortages).toEqual([{ sku: 1, quantity: 2, missing: 1 }])
  })

  it('beyond what a shipment takes already', () => {
    const { shares } = allocateStock([line(5)], [stockLine(3, 1)], [place(1, 4), place(2, 9)])
    expect(shares).toEqual([share(1, 1), share(2, 1)])
  })

  it('beyond what comes from nowhere in particular', () => {
    const { shares } = allocateStock([line(5)], [stockLine(3, null)], [place(1, 4)])
    expect(shares).toEqual([share(1, 2)])
  })

  it('whatever shipments take of other lines and of other SKUs', () => {
    const others = [
      { ...stockLine(1, 1), line_item_id: 11 },
      { ...stockLine(1, 1), sku_id: 2 },
      stockLine(1, 99),
    ]
    const { shares, shortages } = allocateStock([line(5)], others, [place(1, 4)])
    expect([shares, shortages]).toEqual([[share(1, 2)], [{ sku: 1, quantity: 5, missing: 2 }]])
  })

  it('of its own SKU, and no units of zero', () => {
    const places = [place(1, 9, { sku_id: 2 }), place(2, 0), place(3, 1, { reserved: 4 }), place(4, 5)]
    const { shares, shortages } = allocateStock([line(5)], [], places)
    expect([shares, shortages]).toEqual([[share(4, 5)], []])
  })

  it('no further when shipments take everything', () => {
    const untracked = line(5, { isTracked: false })
    expect(allocateStock([untracked], [stockLine(5, null)], []).shares).toEqual([])
    expect(allocateStock([line(5)], [stockLine(5, 1)], [place(1, 9)])).toEqual({ shares: [], shortages: [] })
  })

  it('from nowhere when the SKU is not tracked, though some is in stock', () => {
    const { shares } = allocateStock([line(5, { isTracked: false })], [], [place(1, 9)])
    expect(shares).toEqual([share(null, 5)])
  })

  it('from nowhere when the SKU is not tracked', () => {
    const { shares, shortages } = allocateStock([line(5, { isTracked: false })], [], [])
    expect([shares, shortages]).toEqual([[share(null, 5)], []])
  })
})

test('a reservation stays when line, stock item and quantity fit', () => {
  const wanted = [
    { line: 10, stockItem: 1, quantity: 2 },
    { line: 10, stockItem: 2, quantity: 1 },
  ]
  const fits = { id: 1, line_item_id: 10, stock_item_id: 1, quantity: 2 }
  const tooMany = { id: 2, line_item_id: 10, stock_item_id: 2, quantity: 3 }
  expect(matchReservations(wanted, [tooMany, fits])).toEqual({
    kept: [{ reservation: fits, wanted: wanted[0] }],
    released: [tooMany],
    missing: [wanted[1]],
  })
})

test.each([
  ['another line', { line_item_id: 11 }],
  ['another stock item', { stock_item_id: 2 }],
  ['another quantity', { quantity: 1 }],
])('a reservation of %s goes', (_case, more) => {
  const wanted = { line: 10, stockItem: 1, quantity: 2 }
  const reservation = { id: 1, line_item_id: 10, stock_item_id: 1, quantity: 2, ...more }
  expect(matchReservations([wanted], [reservation])).toEqual({
    kept: [],
    released: [reservation],
    missing: [wanted],
  })
})

test('a reservation stays for one stock line only', () => {
  const wanted = { line: 10, stockItem: 1, quantity: 2 }
  const [one, two] = [1, 2].map((id) => ({ id, line_item_id: 10, stock_item_id: 1, quantity: 2 }))
  const reservations = [one, two].filter((each) => each !== undefined)
  expect(matchReservations([wanted], reservations).released).toEqual([two])
  expect(matchReservations([wanted, wanted, wanted], reservations)).toEqual({
    kept: [
      { reservation: one, wanted },
      { reservation: two, wanted },
    ],
    released: [],
    missing: [wanted],
  })
})

describe('a plan is covered', () => {
  const places = [place(1, 3), place(2, 9)]
  const transfer = (quantity: number, origin: number) => ({
    line_item_id: 10,
    sku_id: 1,
    quantity,
    origin_stock_location_id: origin,
  })
  const covers = (stockLines: readonly StockLine[], transfers: readonly ReturnType<typeof transfer>[] = []) =>
    isPlanCovered({ lines: [line(5)], stockLines, transfers, places })

  it('while every stock item has what is planned to be taken from it', () => {
    expect(covers([stockLine(3, 1), stockLine(2, 2)])).toBe(true)
    expect(covers([stockLine(3, 1)], [transfer(2, 2)])).toBe(true)
    expect(covers([stockLine(4, 1), stockLine(1, 2)])).toBe(false)
    expect(covers([stockLine(1, 1)], [transfer(4, 1)])).toBe(false)
  })

  it('while all units are planned', () => {
    expect(covers([stockLine(3, 1)])).toBe(false)
    expect(covers([])).toBe(false)
  })

  it('by exactly as many units', () => {
    expect(covers([stockLine(3, 1), stockLine(3, 2)])).toBe(false)
    expect(covers([stockLine(3, 1), { ...stockLine(2, 2), line_item_id: 11 }])).toBe(false)
    expect(covers([stockLine(3, 1), { ...stockLine(2, 2), sku_id: 2 }])).toBe(false)
  })

  it('of every line', () => {
    const lines = [line(5), line(1, { line: 11 })]
    const stockLines = [stockLine(3, 1), stockLine(2, 2)]
    expect(isPlanCovered({ lines, stockLines, transfers: [], places })).toBe(false)
  })

  it('whatever is transferred of other SKUs, and of elsewhere', () => {
    const stockLines = [stockLine(3, 1), stockLine(2, 2)]
    expect(covers(stockLines, [{ ...transfer(9, 1), sku_id: 2 }])).toBe(true)
    expect(covers(stockLines, [{ ...transfer(9, 3), line_item_id: 11 }])).toBe(true)
    expect(covers(stockLines, [{ ...transfer(1, 1), line_item_id: 11 }])).toBe(false)
  })

  it('by SKUs that are not tracked, wherever they are', () => {
    expect(
      isPlanCovered({ lines: [line(5, { isTracked: false })], stockLines: [], transfers: [], places }),
    ).toBe(true)
  })
})
