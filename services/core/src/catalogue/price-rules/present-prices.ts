/** Prices as they are read: `amount_cents` after the rules that are in force for whoever reads, the stored one beside it. */
import type { Row } from '@merx/jsonapi/attributes'
import { ofToken } from '../../access/of-token.ts'
import type { Presentation } from '../../engine/area.ts'
import { askPriceRules } from './ask-price-rules.ts'
import { rulesInForce } from './rules-in-force.ts'

const RULED = `SELECT prices.id, ${rulesInForce('prices')} AS documents
  FROM prices WHERE prices.environment_id = $1 AND prices.id = ANY($2)`

interface RuledRow {
  readonly id: number
  readonly documents: readonly unknown[]
}

export const presentPrices: Presentation = async (prices, { run, registry, scope }) => {
  const values = [scope.environmentId, prices.map(({ number }) => number)]
  const rows = await run<RuledRow & Row>({ text: RULED, values, name: 'rules_of_prices' })
  const documents = new Map(rows.map((row) => [row.id, row.documents]))
  const asked = await askPriceRules(documents, ofToken(scope), { run, registry, scope, now: new Date() })
  for (const price of prices) {
    const ruled = asked.get(price.number)
    if (ruled !== undefined) price.row = { ...price.row, ...ruled }
  }
}
