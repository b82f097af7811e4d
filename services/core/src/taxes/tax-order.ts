/** How an order is taxed: the calculator of its market decides. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../engine/database/rows.ts'
import type { TaxCalculator, Taxation, TaxStep } from './calculator.ts'
import { manualTaxCalculator } from './manual.ts'

/** By type of calculator. */
const ADAPTERS: Readonly<Record<string, TaxCalculator>> = { manual_tax_calculators: manualTaxCalculator }

type CalculatorRow = Pick<RowOf<'TaxCalculator'>, 'id' | 'type'>

const CALCULATOR = `SELECT calculators.id, calculators.type
  FROM markets
  JOIN tax_calculators AS calculators ON calculators.environment_id = $1 AND calculators.id = markets.tax_calculator_id
  WHERE markets.environment_id = $1 AND markets.id = $2`

/** How the calculator of the order's market taxes the order; undefined when the market has none. */
export const taxationOf = async (order: Row, step: TaxStep): Promise<Taxation | undefined> => {
  const values = [step.scope.environmentId, order['market_id']]
  const [calculator] = await step.run<CalculatorRow>({ text: CALCULATOR, values })
  if (calculator === undefined) return undefined
  const adapter = ADAPTERS[calculator.type]
  if (adapter === undefined) throw new TypeError(`no tax calculator runs for ${calculator.type}`)
  return adapter.taxationOf(calculator.id, order, step)
}
