/** The price of a line with `_external_price`: asked of the market's `external_prices_url` (commerce.md 1.2, ADR 95). */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { compile } from '@merx/validation/compile'
import { columnsOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { reserveNumbers } from '../engine/sql/reserve-numbers.ts'
import { selectRow } from '../engine/sql/select-rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { readSetting } from '../markets/settings.ts'
import { askResource } from '../outside/ask-resource.ts'
import { outsideDocument, pathsOf } from '../outside/outside-document.ts'

interface PriceAnswer {
  readonly sku_code?: string
  readonly unit_amount_cents: number
  readonly compare_at_amount_cents?: number | null
  readonly metadata?: Readonly<Record<string, unknown>>
}

const CENTS_MAX = 1_000_000_000_000

const parse = compile<PriceAnswer>({
  type: 'object',
  required: ['unit_amount_cents'],
  properties: {
    sku_code: { type: 'string' },
    unit_amount_cents: { type: 'integer', minimum: 0, maximum: CENTS_MAX },
    compare_at_amount_cents: { type: ['integer', 'null'], minimum: 0, maximum: CENTS_MAX },
    metadata: { type: 'object' },
  },
})

const INCLUDES = [
  'order',
  'order.customer',
  'order.customer.tags',
  'order.line_items',
  'order.market',
  'item',
]

export interface ExternalPrice {
  /** Columns of the line; undefined when its price is that of the list. */
  readonly set?: Row
  readonly violations?: readonly WriteViolation[]
}

export const hasExternalPrice = (line: Row): boolean => {
  const { external_price: isExternal = false, item_type: type } = columnsOf('LineItem', line)
  return isExternal && type === 'skus'
}

/** `line` is as it will be, `before` as it is stored, `order` as it will be. */
export const externalPriceOf = async (
  line: Row,
  before: Row | undefined,
  order: Row,
  step: WorkflowStep,
): Promise<ExternalPrice> => {
  const { run, scope } = step
  const { environmentId } = scope
  const { market_id: number, id, currency_code: currency } = columnsOf('Order', order)
  const [market] = await run<RowOf<'Market'>>(selectRow('markets', environmentId, number ?? -1, false))
  const { external_prices_url: url = null } = market ?? {}
  if (market === undefined || url === null || url === '')
    return refused('not_supported', 'cannot be true: the market of the order has no external_prices_url')
  const { sku_code: code, quantity } = columnsOf('LineItem', line)
  const answer = await askResource<PriceAnswer>(
    {
      key: `prices ${JSON.stringify([id, number, currency, before?.['id'] ?? null, code, quantity])}`,
      environmentId,
      url,
      signer: market,
      circuit: before === undefined ? undefined : { table: 'line_items', row: before },
      document: () => documentOf(line, before, market, step),
      parse: (data) => parse(data),
    },
    step,
  )
  if (answer.kind === 'given') {
    const { sku_code: named = code, unit_amount_cents: unit } = answer.data
    if (named !== code) return refused('failed', `failed: the answer is about ${named}, not ${String(code)}`)
    const { compare_at_amount_cents: compareAt, metadata } = answer.data
    const stored = columnsOf('LineItem', line).metadata
    return {
      set: {
        unit_amount_cents: unit,
        compare_at_amount_cents: Math.max(compareAt ?? unit, unit),
        has_own_amount: false,
        ...(metadata === undefined ? {} : { metadata: { ...(stored as Row | undefined), ...metadata } }),
      },
    }
  }
  if ((await readSetting('external_prices_errors', step)) === false) return {}
  return answer.kind === 'refused'
    ? { violations: answer.errors.map(({ code: error, message }) => violation(error, message)) }
    : refused('failed', `failed: ${answer.message}`)
}

/** A line that is not stored yet has no id. */
const documentOf = async (
  line: Row,
  before: Row | undefined,
  market: RowOf<'Market'>,
  { run, registry, scope: { environmentId } }: WorkflowStep,
) => {
  const definition = registry.require('line_items')
  const number = before === undefined ? await reserved(run) : numberOf(before)
  const includes = [...INCLUDES, ...pathsOf(market.external_includes)]
  const triggers = { _external_price: true }
  const isNew = before === undefined
  return outsideDocument(
    { definition, number, row: line, isNew, environmentId, includes, triggers },
    { run, registry },
  )
}

const reserved = async (run: WorkflowStep['run']): Promise<number> => {
  const [row] = await run(reserveNumbers('line_items', 1))
  return numberOf(row ?? {})
}

const violation = (error: string, message: string): WriteViolation => ({
  at: { attribute: '_external_price' },
  error,
  message,
})

const refused = (error: string, message: string): ExternalPrice => ({
  violations: [violation(error, message)],
})
