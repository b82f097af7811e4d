/** Whom a coupon or gift card is for: a recipient that is named, or that of an email, who is made when there is none. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import type { RowOf } from '../engine/database/rows.ts'
import { columnsOf } from '../engine/database/rows.ts'
import { identifier } from '../engine/sql/identifiers.ts'
import { selectRow } from '../engine/sql/select-rows.ts'
import { numberOf, persist } from '../engine/write/persist.ts'
import type { Completion, WorkflowStep } from '../engine/write/write-workflow.ts'

/** The type of the recipients, which is their table, and the relationship that names one. */
export interface RecipientKind {
  readonly type: 'coupon_recipients' | 'gift_card_recipients'
  readonly relationship: 'coupon_recipient' | 'gift_card_recipient'
}

/** Both kinds have the same columns. */
type Recipient = RowOf<'CouponRecipient'>

/** Columns of the recipient and the email that repeats theirs. */
export const completeRecipient = async (
  after: Row,
  request: WriteRequest,
  kind: RecipientKind,
  step: WorkflowStep,
): Promise<Completion> => {
  const column = `${kind.relationship}_id`
  const hasEmail = request.attributes.has('recipient_email')
  if (request.toOne.has(kind.relationship)) return recipientOf(after, hasEmail, kind, step)
  if (!hasEmail) return {}
  const { recipient_email: email = null } = columnsOf('Coupon', after)
  if (email === null || email === '') return { set: { [column]: null, recipient_email: null } }
  return { set: { [column]: await findOrCreate(email, kind, step) } }
}

/** The recipient decides; an email beside it must be the same. */
const recipientOf = async (
  after: Row,
  hasEmail: boolean,
  { type, relationship }: RecipientKind,
  { run, scope }: WorkflowStep,
): Promise<Completion> => {
  const number = after[`${relationship}_id`] ?? null
  const { recipient_email: sent = null } = columnsOf('Coupon', after)
  if (typeof number !== 'number') return { set: { recipient_email: null } }
  const [found] = await run<Recipient>(selectRow(type, scope.environmentId, number, false))
  if (found === undefined) return {}
  if (hasEmail && sent !== null && sent !== found.email) {
    const message = `must be ${found.email}, the email of the recipient, or left out`
    return {
      violations: [{ at: { attribute: 'recipient_email' }, error: 'invalid', message, value: sent }],
    }
  }
  return { set: { recipient_email: found.email } }
}

/** Who shops is shown nothing of people whose email they know, and so gets a recipient of their own. */
const findOrCreate = async (
  email: string,
  { type }: RecipientKind,
  { run, registry, scope, actor }: WorkflowStep,
): Promise<number> => {
  const { environmentId } = scope
  const [known] =
    scope.salesChannel === undefined
      ? await run<Pick<Recipient, 'id'>>({
          text: `SELECT id FROM ${identifier(type)}
            WHERE environment_id = $1 AND lower(email) = lower($2) ORDER BY id LIMIT 1`,
          values: [environmentId, email],
        })
      : []
  if (known !== undefined) return known.id
  const definition = registry.require(type)
  const [made] = await persist([{ definition, before: undefined, columns: { email } }], {
    run,
    registry,
    environmentId,
    actor,
  })
  return numberOf(made ?? {})
}
