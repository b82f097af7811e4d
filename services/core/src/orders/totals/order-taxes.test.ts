import { AppErrors } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'
import type { OrderLine } from '../order-lines.ts'
import { withTaxes } from './order-taxes.ts'

const ORDER = { id: 4, market_id: 5, shipping_address_id: 8, tax_calculations_count: 2 }

const shirt: Row = { id: 21, item_type: 'skus', tax_rate: '0.05000000', total_amount_cents: 1000 }
const shipping: Row = { id: 22, item_type: 'shipments', tax_rate: '0.05000000', total_amount_cents: 500 }
const promotion: Row = { id: 23, item_type: 'percentage_discount_promotions', tax_rate: '0' }
const gone: OrderLine = { before: { id: 20, item_type: 'skus' }, after: undefined }

const lineOf = (row: Row): OrderLine => ({ before: row, after: row })
const LINES = [gone, ...[shirt, promotion, shipping].map(lineOf)]

const RULE = {
  tax_rate: '0.22000000',
  freight_taxable: true,
  payment_method_taxable: true,
  gift_card_taxable: false,
  adjustment_taxable: true,
  address: null,
}
const { tax_rate: _rate, address: _address, ...switches } = RULE

interface Market {
  readonly calculator?: string
  readonly answer?: unknown
  readonly setting?: unknown
  readonly isImport?: boolean
}

const stepAt = ({ calculator, answer, setting, isImport = false }: Market) => {
  const run = ({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) => {
    if (text.includes('settings'))
      return Promise.resolve(values[1] === 'tax_calculators_errors' ? [{ value: setting }] : [])
    if (text.includes('tax_rules')) return Promise.resolve([RULE])
    return Promise.resolve(calculator === undefined ? [] : [{ id: 3, type: calculator }])
  }
  const answers = { has: () => true, get: () => answer }
  const step = { run, scope: { environmentId: 7 }, registry: { ids: testIds }, answers, isImport }
  return step as unknown as WorkflowStep
}

const taxed = (market: Market, order: Row = ORDER) => withTaxes(order, LINES, () => LINES, stepAt(market))

const MANUAL = { calculator: 'manual_tax_calculators' }
const EXTERNAL = { calculator: 'external_tax_calculators' }
const unchanged = { set: {}, lines: LINES, topics: [] }

it('an order gets the rate and the switches of its calculator, and so do its lines', async () => {
  const tax_rate = '0.22000000'
  expect(await taxed(MANUAL)).toEqual({
    set: { ...switches, tax_rate, tax_calculations_count: 3 },
    lines: [
      gone,
      { before: shirt, after: { ...shirt, tax_rate } },
      lineOf(promotion),
      { before: shipping, after: { ...shipping, tax_rate } },
    ],
    topics: [],
  })
})

it('is counted from one', async () => {
  const { tax_calculations_count: _count, ...order } = ORDER
  expect((await taxed(MANUAL, order)).set).toMatchObject({ tax_calculations_count: 1 })
})

it('a line that a service names gets its own rate, with what else was said of it', async () => {
  const data = Object.assign([{ tax_rate: '0.10000000', breakdown: { state: 1 } }], {
    answer: { tax_rate: 0.22 },
  })
  const { lines } = await taxed({ ...EXTERNAL, answer: { kind: 'given', data } })
  expect(lines.map(({ after }) => after)).toEqual([
    undefined,
    { ...shirt, tax_rate: '0.10000000', tax_breakdown: { state: 1 } },
    promotion,
    { ...shipping, tax_rate: '0.22000000' },
  ])
})

it('an imported order is stored as it was taxed', async () => {
  expect(await taxed({ ...MANUAL, isImport: true })).toEqual(unchanged)
})

it('an order without a calculator keeps the rates that it brought', async () => {
  expect(await taxed({}, { ...ORDER, tax_calculations_count: 0 })).toEqual(unchanged)
})

it('an order that lost its calculator is not taxed any more', async () => {
  const { set, lines } = await taxed({})
  const none = { freight_taxable: false, payment_method_taxable: false, gift_card_taxable: false }
  expect(set).toEqual({ ...none, adjustment_taxable: false, tax_rate: '0.00000000' })
  expect(lines[1]?.after).toMatchObject({ tax_rate: '0.00000000' })
})

it('an order with nothing to tax keeps what it has', async () => {
  expect(await taxed(EXTERNAL, { ...ORDER, shipping_address_id: null })).toEqual(unchanged)
})

describe('an order whose calculator fails', () => {
  const failing = { ...EXTERNAL, answer: { kind: 'unavailable', message: 'it was late' } }

  it.each([undefined, false])('keeps what it has, and says so, with the setting %j', async (setting) => {
    const topics = ['orders.tax_calculation_failed']
    expect(await taxed({ ...failing, setting })).toEqual({ ...unchanged, topics })
  })

  it('is refused where the shop wants that', async () => {
    const error = await taxed({ ...failing, setting: true }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AppErrors)
    expect(error).toMatchObject({
      errors: [
        {
          source: { pointer: '/data/attributes/tax_rate' },
          meta: { error: 'tax_calculation_failed' },
          detail: 'tax_rate - were not calculated: it was late',
        },
      ],
    })
  })
})
