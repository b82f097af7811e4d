/** How an order is taxed: the calculator of its market decides. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import type { TaxCalculator, Taxation, TaxedLine } from './calculator.ts'
import { externalTaxationOf } from './external.ts'
import { manualTaxCalculator } from './manual.ts'
import { TAX_VENDOR_TYPES, taxesNotCalled } from './vendor-accounts.ts'

/** By type of calculator. */
const ADAPTERS: Readonly<Record<string, TaxCalculator>> = { manual_tax_calculators: manualTaxCalculator }

type CalculatorRow = RowOf<'TaxCalculator'>

const CALCULATOR = `SELECT calculators.*
  FROM markets
  JOIN tax_calculators AS calculators ON calculators.environment_id = $1 AND calculators.id = markets.tax_calculator_id
  WHERE markets.environment_id = $1 AND markets.id = $2`

const EXTERNAL = 'external_tax_calculators'

export interface OrderTaxes {
  /** Undefined when the market has no calculator. */
  readonly taxation: Taxation | undefined
  /** One entry for each line, undefined where the rate of the order holds. */
  readonly lines: readonly (TaxedLine | undefined)[]
  /** A calculator outside gave no taxes, or is that of a vendor; the order keeps what it has. */
  readonly failure?: string
  /** There is nothing that an external calculator would tax; the order keeps what it has. */
  readonly isSkipped?: true
}

const MARKET = { relationship: 'market' } as const

/** Why an order of the market cannot be placed: its calculator is the account of a vendor, which nobody asks. */
export const violationOfTaxes = async (
  order: Row,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<WriteViolation | undefined> => {
  const values = [scope.environmentId, order['market_id']]
  const [calculator] = await run<CalculatorRow>({ text: CALCULATOR, values })
  const type = calculator?.type ?? ''
  return TAX_VENDOR_TYPES.includes(type) ? taxesNotCalled(type, MARKET) : undefined
}

/** How the calculator of the order's market taxes the order. `lines` are as they will be, with their amounts. */
export const taxesOf = async (
  order: Row,
  lines: () => readonly Row[],
  step: WorkflowStep,
): Promise<OrderTaxes> => {
  const values = [step.scope.environmentId, order['market_id']]
  const [calculator] = await step.run<CalculatorRow>({ text: CALCULATOR, values })
  if (calculator === undefined) return { taxation: undefined, lines: [] }
  if (calculator.type === EXTERNAL) {
    const taxed = await externalTaxationOf(calculator, order, lines(), step)
    if (taxed.kind === 'taxed') return { taxation: taxed.taxation, lines: taxed.lines }
    return taxed.kind === 'failed'
      ? { taxation: undefined, lines: [], failure: taxed.message }
      : { taxation: undefined, lines: [], isSkipped: true }
  }
  if (TAX_VENDOR_TYPES.includes(calculator.type)) {
    const { message } = taxesNotCalled(calculator.type, MARKET)
    return { taxation: undefined, lines: [], failure: message }
  }
  const adapter = ADAPTERS[calculator.type]
  if (adapter === undefined) throw new TypeError(`no tax calculator runs for ${calculator.type}`)
  return { taxation: await adapter.taxationOf(calculator.id, order, step), lines: [] }
}
