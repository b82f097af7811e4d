/** A list takes the place of another one only with the same currency and taxes: amounts keep what they mean. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

type PriceList = Pick<RowOf<'PriceList'>, 'id' | 'currency_code' | 'tax_included'>

/** Locked against changes of their money until the transaction ends; others may lock them too. */
const LISTS = `SELECT id, currency_code, tax_included FROM price_lists
  WHERE environment_id = $1 AND id = ANY($2::bigint[]) ORDER BY id FOR SHARE`

const withTaxes = ({ tax_included: isIncluded }: PriceList): string => (isIncluded ? 'with' : 'without')

/** Why `list` cannot stand in for the market's `base` list, or the other way round. A list that is not there is another violation. */
export const moneyViolations = async (
  list: number,
  base: number,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<readonly WriteViolation[]> => {
  const found = await run<PriceList>({ text: LISTS, values: [scope.environmentId, [list, base]] })
  const one = found.find(({ id }) => id === list)
  const other = found.find(({ id }) => id === base)
  if (one === undefined || other === undefined) return []
  const refuse = (message: string): readonly WriteViolation[] => [
    { at: { relationship: 'price_list' }, error: 'currency_mismatch', message },
  ]
  if (one.currency_code !== other.currency_code)
    return refuse(`is in ${one.currency_code}, and must be in ${other.currency_code}`)
  if (one.tax_included === other.tax_included) return []
  return refuse(`has prices ${withTaxes(one)} taxes, and must have prices ${withTaxes(other)} taxes`)
}
