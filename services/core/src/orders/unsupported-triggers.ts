import type { Rule, RuleContext, WriteViolation } from '@merx/jsonapi/rules'

/** What changes the totals of an order, with the column of each, by something that is not built yet. */
const PRICED = [
  { at: { attribute: 'coupon_code' }, name: 'coupon_code', column: 'coupon_code' },
  { at: { attribute: 'gift_card_code' }, name: 'gift_card_code', column: 'gift_card_code' },
] as const

/** Triggers that start a workflow: name → what it carries, and whether a sales channel may never send it. */
export const WORKFLOW_TRIGGERS = {
  _commit_invoice: {},
  _refund_invoice: {},
  _create_subscriptions: {},
} as const satisfies Readonly<
  Record<string, { readonly carries?: 'text' | 'integer'; readonly prohibited?: boolean }>
>

/** Members of an order that only a workflow can change. */
export const LEFT_TO_WORKFLOWS: readonly string[] = [
  ...PRICED.map(({ name }) => name),
  ...Object.keys(WORKFLOW_TRIGGERS),
]

/** An order whose totals or states leave out something it has would be wrong, so what leads there is refused. */
export const needsOrderWorkflow: Rule = (context) => {
  if (context.writer.isImport === true) return {}
  const violations = [...pricedFaults(context), ...triggerFaults(context)]
  return violations.length === 0 ? {} : { violations }
}

const pricedFaults = ({ operation, sent, before, after }: RuleContext): readonly WriteViolation[] =>
  PRICED.filter(
    ({ name, column }) => sent.has(name) && (after[column] ?? null) !== (before?.[column] ?? null),
  ).map(({ at }) => refusal(at, operation === 'create' ? 'cannot be set on an order yet' : undefined))

const triggerFaults = ({ sent }: RuleContext): readonly WriteViolation[] =>
  Object.keys(WORKFLOW_TRIGGERS)
    .filter((name) => sent.has(name))
    .map((attribute) => refusal({ attribute }, 'cannot be done to an order yet'))

const refusal = (
  at: NonNullable<WriteViolation['at']>,
  message = 'cannot be changed on an order yet',
): WriteViolation => ({ at, error: 'not_supported', message })
