/** An external tax calculator: it gets the order as it will be, and says rates and what is taxed (commerce.md 1.2). */
import type { Row } from '@merx/jsonapi/attributes'
import { compile } from '@merx/validation/compile'
import { columnsOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { askResource } from '../outside/ask-resource.ts'
import { outsideDocument, pathsOf } from '../outside/outside-document.ts'
import type { TaxedLine, Taxation } from './calculator.ts'
import { taxedLine } from './taxed-line.ts'
import type { AnsweredLine } from './taxed-line.ts'

interface TaxAnswer {
  readonly tax_rate?: number
  readonly freight_taxable?: boolean
  readonly line_items?: readonly AnsweredLine[]
}

const rate = { type: ['number', 'null'], minimum: 0, maximum: 99 }

const parse = compile<TaxAnswer>({
  type: 'object',
  properties: {
    tax_rate: { type: 'number', minimum: 0, maximum: 99 },
    freight_taxable: { type: 'boolean' },
    line_items: {
      type: 'array',
      maxItems: 5_000,
      items: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string' },
          tax_rate: rate,
          tax_collectable: { type: ['number', 'null'], minimum: 0 },
        },
      },
    },
  },
})

const INCLUDES = ['market', 'line_items', 'line_items.item', 'shipping_address', 'billing_address']

export type ExternalTaxation =
  | {
      readonly kind: 'taxed'
      readonly taxation: Taxation
      readonly lines: readonly (TaxedLine | undefined)[]
    }
  /** The order has nothing to tax yet. */
  | { readonly kind: 'untaxable' }
  | { readonly kind: 'failed'; readonly message: string }

type CalculatorRow = RowOf<'TaxCalculator'>

/** Called only for an order with an address, something to pay, and a SKU or a bundle (core-conventions.md 13.2). */
const isTaxable = (order: Row, lines: readonly Row[]): boolean => {
  const {
    archived_at: archived = null,
    shipping_address_id: shipping,
    billing_address_id: billing,
  } = columnsOf('Order', order)
  const total = lines.reduce((sum, line) => sum + (columnsOf('LineItem', line).total_amount_cents ?? 0), 0)
  const hasSku = lines.some((line) => line['item_type'] === 'skus' || line['item_type'] === 'bundles')
  return archived === null && (shipping ?? billing ?? null) !== null && total > 0 && hasSku
}

/** `lines` as they will be, with their amounts; the answer has one entry for each. */
export const externalTaxationOf = async (
  calculator: CalculatorRow,
  order: Row,
  lines: readonly Row[],
  step: WorkflowStep,
): Promise<ExternalTaxation> => {
  if (!isTaxable(order, lines)) return { kind: 'untaxable' }
  const { registry, scope, run } = step
  const { environmentId } = scope
  const known = lines.filter((line) => typeof line['id'] === 'number')
  const ids = known.map((line) => registry.ids.encode('line_items', numberOf(line)))
  const answer = await askResource<readonly (TaxedLine | undefined)[] & { answer?: TaxAnswer }>(
    {
      key: `taxes ${calculator.id} ${JSON.stringify([factsOf(order), known.map(factsOfLine)])}`,
      environmentId,
      url: calculator.tax_calculator_url ?? '',
      signer: calculator,
      circuit: { table: 'tax_calculators', row: calculator },
      document: () =>
        outsideDocument(
          {
            definition: registry.require('orders'),
            number: numberOf(order),
            row: order,
            rows: { relationship: 'line_items', type: 'line_items', rows: known },
            environmentId,
            includes: [...INCLUDES, ...pathsOf(calculator.external_includes)],
            triggers: {},
          },
          { run, registry },
        ),
      // A new line has another number when the write runs again, so that what is kept is by position.
      parse: (data) => {
        const parsed = parse(data)
        if (!parsed.ok) return parsed
        const byId = new Map(parsed.value.line_items?.map((line) => [line.id, line]))
        const taxed = known.map((line, at) => taxedLine(byId.get(ids[at] ?? ''), line, order))
        return { ok: true, value: Object.assign(taxed, { answer: parsed.value }) }
      },
    },
    step,
  )
  if (answer.kind === 'unavailable') return { kind: 'failed', message: answer.message }
  if (answer.kind === 'refused')
    return { kind: 'failed', message: answer.errors.map(({ message }) => message).join('; ') }
  const { answer: said = {} } = answer.data
  const {
    payment_method_taxable = false,
    gift_card_taxable = false,
    adjustment_taxable = false,
  } = columnsOf('Order', order)
  const taxation = {
    tax_rate: (said.tax_rate ?? 0).toFixed(8),
    freight_taxable: said.freight_taxable ?? false,
    payment_method_taxable,
    gift_card_taxable,
    adjustment_taxable,
  }
  return { kind: 'taxed', taxation, lines: lines.map((line) => answer.data[known.indexOf(line)]) }
}

/** What taxes may depend on. */
const factsOf = (order: Row): unknown => {
  const { id, market_id, customer_id, currency_code, tax_included, shipping_address_id, billing_address_id } =
    columnsOf('Order', order)
  return [id, market_id, customer_id, currency_code, tax_included, shipping_address_id, billing_address_id]
}

const factsOfLine = (line: Row): unknown => {
  const { item_type, item_id, quantity, unit_amount_cents, total_amount_cents, discount_cents } = columnsOf(
    'LineItem',
    line,
  )
  return [item_type, item_id, quantity, unit_amount_cents, total_amount_cents, discount_cents]
}
