/** Asks the service of an external promotion what it takes off: it gets the order as it will be without promotions (commerce.md 1.2). */
import type { Row } from '@merx/jsonapi/attributes'
import { throwViolations } from '@merx/jsonapi/validation-errors'
import { compile } from '@merx/validation/compile'
import { columnsOf } from '../engine/database/rows.ts'
import { numberOf, persist } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { readSetting } from '../markets/settings.ts'
import { askResource } from '../outside/ask-resource.ts'
import { outsideDocument, pathsOf } from '../outside/outside-document.ts'
import type { Candidate, ExternalDiscount } from './promotion-kind.ts'

interface NamedLine {
  readonly id: string
  readonly discount_cents?: number | null
}

interface PromotionAnswer {
  readonly name?: string | null
  readonly discount_cents: number
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly line_items?: readonly (string | NamedLine)[]
}

const CENTS_MAX = 1_000_000_000_000
const LINES_MAX = 5_000

/** Merchants give a discount as 500 or as -500. */
const discountCents = { type: 'integer', minimum: -CENTS_MAX, maximum: CENTS_MAX }

const parse = compile<PromotionAnswer>({
  type: 'object',
  required: ['discount_cents'],
  properties: {
    name: { type: ['string', 'null'], maxLength: 255 },
    discount_cents: discountCents,
    metadata: { type: 'object' },
    line_items: {
      type: 'array',
      maxItems: LINES_MAX,
      items: {
        anyOf: [
          { type: 'string', maxLength: 255 },
          {
            type: 'object',
            required: ['id'],
            properties: {
              id: { type: 'string', maxLength: 255 },
              discount_cents: { ...discountCents, type: ['integer', 'null'] },
            },
          },
        ],
      },
    },
  },
})

const INCLUDES = [
  'market',
  'customer',
  'customer.tags',
  'line_items',
  'line_items.item',
  'shipping_address',
  'billing_address',
]

type Asking = Pick<WorkflowStep, 'run' | 'registry' | 'scope' | 'answers' | 'actor'>

/**
 * Undefined when there is no usable answer: the order then goes without the promotion. Throws AppError `validation_error`
 * instead with the setting `external_promotions_errors`.
 */
export const askPromotion = async (
  promotion: Candidate['promotion'],
  order: Row,
  lines: readonly Row[],
  step: Asking,
): Promise<ExternalDiscount | undefined> => {
  const { run, registry, scope } = step
  const { environmentId } = scope
  // A new line has another number when the write runs again, so that answers about lines are by position.
  const known = lines.filter((line) => typeof line['id'] === 'number')
  const ids = known.map((line) => registry.ids.encode('line_items', numberOf(line)))
  const answer = await askResource<PositionedAnswer>(
    {
      key: `promotions ${promotion.id} ${JSON.stringify([factsOf(order), lines.map(factsOfLine)])}`,
      environmentId,
      url: promotion.promotion_url ?? '',
      signer: promotion,
      circuit: { table: 'promotions', row: promotion },
      document: () =>
        outsideDocument(
          {
            definition: registry.require('orders'),
            number: numberOf(order),
            row: order,
            rows: { relationship: 'line_items', type: 'line_items', rows: known },
            environmentId,
            includes: [...INCLUDES, ...pathsOf(promotion.external_includes)],
            triggers: {},
          },
          { run, registry },
        ),
      parse: (data) => {
        const parsed = parse(data)
        return parsed.ok ? { ok: true, value: toPositioned(parsed.value, ids) } : parsed
      },
    },
    step,
  )
  if (answer.kind === 'given') return toDiscount(answer.data, known)
  const message =
    answer.kind === 'unavailable' ? answer.message : answer.errors.map((error) => error.message).join('; ')
  await refuseWhereWanted(promotion, message, step)
  const failed = { definition: registry.require('external_promotions'), before: promotion, columns: {} }
  await persist([{ ...failed, topics: ['external_promotions.failed'] }], { ...step, environmentId })
  return undefined
}

interface PositionedAnswer {
  readonly said: PromotionAnswer
  readonly positions: ReadonlyMap<number, number | null> | undefined
}

const toPositioned = (said: PromotionAnswer, ids: readonly string[]): PositionedAnswer => {
  const { line_items: named } = said
  if (named === undefined) return { said, positions: undefined }
  const positions = named.flatMap((line): readonly (readonly [number, number | null])[] => {
    const { id, discount_cents: part = null } = typeof line === 'string' ? { id: line } : line
    const at = ids.indexOf(id)
    return at === -1 ? [] : [[at, part === null ? null : Math.abs(part)]]
  })
  return { said, positions: new Map(positions) }
}

const toDiscount = ({ said, positions }: PositionedAnswer, known: readonly Row[]): ExternalDiscount => ({
  name: said.name ?? null,
  cents: Math.abs(said.discount_cents),
  metadata: said.metadata,
  lines:
    positions === undefined
      ? undefined
      : new Map([...positions].map(([at, part]) => [numberOf(known[at] ?? {}), part])),
})

const refuseWhereWanted = async (
  { name }: Candidate['promotion'],
  reason: string,
  step: Asking,
): Promise<void> => {
  if ((await readSetting('external_promotions_errors', step)) !== true) return
  const message = `is not known: the service of the promotion "${name}" gave none (${reason})`
  throwViolations([
    { at: { attribute: 'discount_amount_cents' }, error: 'external_promotion_failed', message },
  ])
}

/** What a discount may depend on. */
const factsOf = (order: Row): unknown => {
  const { id, market_id, customer_id, currency_code, shipping_address_id, billing_address_id, coupon_code } =
    columnsOf('Order', order)
  return [id, market_id, customer_id, currency_code, shipping_address_id, billing_address_id, coupon_code]
}

const factsOfLine = (line: Row): unknown => {
  const { item_type, item_id, quantity, unit_amount_cents, options_amount_cents } = columnsOf(
    'LineItem',
    line,
  )
  return [item_type, item_id, quantity, unit_amount_cents, options_amount_cents]
}
