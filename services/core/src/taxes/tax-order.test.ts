import type { Row } from '@merx/jsonapi/attributes'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { taxesOf, violationOfTaxes } from './tax-order.ts'

const ORDER = { id: 4, market_id: 5, shipping_address_id: 8 }
const LINES = [
  { id: 21, item_type: 'skus', total_amount_cents: 1000 },
  { item_type: 'skus', total_amount_cents: 500 },
]

/** A market with this calculator, and what its service is known to have answered. */
const stepWith = (calculator: Row | undefined, answer?: unknown) => {
  const asked: unknown[] = []
  const run = ({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) => {
    asked.push(values)
    if (text.includes('tax_rules')) return Promise.resolve([{ tax_rate: '0.22000000', address: null }])
    return Promise.resolve(calculator === undefined ? [] : [{ id: 3, ...calculator }])
  }
  const answers = { has: () => true, get: () => answer }
  const step = { run, scope: { environmentId: 7 }, registry: { ids: testIds }, answers }
  return { asked, step: step as unknown as WorkflowStep }
}

const taxes = async (calculator: Row | undefined, answer?: unknown, order: Row = ORDER) => {
  const { asked, step } = stepWith(calculator, answer)
  return { asked, taxes: await taxesOf(order, () => LINES, step) }
}

const EXTERNAL = { type: 'external_tax_calculators' }

describe('an order is taxed', () => {
  it('by nobody where the market has no calculator', async () => {
    expect(await taxes(undefined)).toEqual({ asked: [[7, 5]], taxes: { taxation: undefined, lines: [] } })
  })

  it('by the rules of a manual calculator', async () => {
    expect(await taxes({ type: 'manual_tax_calculators' })).toMatchObject({
      asked: [
        [7, 5],
        [7, 3, 8, null],
      ],
      taxes: { taxation: { tax_rate: '0.22000000' }, lines: [] },
    })
  })

  it('by what a service says of the order and of its lines', async () => {
    const line = { tax_rate: '0.10000000', breakdown: {} }
    const data = Object.assign([line], { answer: { tax_rate: 0.22, freight_taxable: true } })
    expect((await taxes(EXTERNAL, { kind: 'given', data })).taxes).toEqual({
      taxation: {
        tax_rate: '0.22000000',
        freight_taxable: true,
        payment_method_taxable: false,
        gift_card_taxable: false,
        adjustment_taxable: false,
      },
      lines: [line, undefined],
    })
  })

  it('as before while a service has nothing to tax', async () => {
    const order = { ...ORDER, shipping_address_id: null }
    expect((await taxes(EXTERNAL, undefined, order)).taxes).toEqual({
      taxation: undefined,
      lines: [],
      isSkipped: true,
    })
  })

  it.each([
    ['does not answer', { kind: 'unavailable', message: 'it was late' }, 'it was late'],
    ['refuses', { kind: 'refused', errors: [{ message: 'one' }, { message: 'two' }] }, 'one; two'],
  ])('as before, with the reason, when a service %s', async (_case, answer, failure) => {
    expect((await taxes(EXTERNAL, answer)).taxes).toEqual({ taxation: undefined, lines: [], failure })
  })

  it('as before, with the reason, where the calculator is that of a vendor', async () => {
    expect((await taxes({ type: 'taxjar_accounts' })).taxes).toEqual({
      taxation: undefined,
      lines: [],
      failure: expect.stringMatching(/^needs taxjar_accounts, whose vendor/) as string,
    })
  })

  it('by no calculator that nobody wrote', async () => {
    await expect(taxes({ type: 'abaci' })).rejects.toThrow('no tax calculator runs for abaci')
  })
})

describe('an order can be placed', () => {
  const violation = async (calculator: Row | undefined) => {
    const { asked, step } = stepWith(calculator)
    return { asked, violation: await violationOfTaxes(ORDER, step) }
  }

  it.each([undefined, { type: 'manual_tax_calculators' }, EXTERNAL])(
    'where the calculator of its market is %j',
    async (calculator) => {
      expect(await violation(calculator)).toEqual({ asked: [[7, 5]], violation: undefined })
    },
  )

  it('but not where the calculator is that of a vendor', async () => {
    expect((await violation({ type: 'avalara_accounts' })).violation).toMatchObject({
      at: { relationship: 'market' },
      error: 'not_supported',
      message: expect.stringContaining('needs avalara_accounts') as string,
    })
  })
})
