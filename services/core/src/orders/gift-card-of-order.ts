/** `gift_card_code` of an order: a code is accepted when it is that of a gift card that the order can use. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import {
  findGiftCardByPrefix,
  problemOfCode,
  problemOfGiftCard,
  UNKNOWN_CODE,
} from '../gift-cards/valid-gift-cards.ts'
import { readSetting } from '../markets/settings.ts'

type Step = Pick<WorkflowStep, 'run' | 'scope' | 'now'>

export interface CheckedGiftCard {
  /** The code of the card in full; the code as it was sent where there is no card. */
  readonly code: string
  readonly isKnown: boolean
  readonly violation: WriteViolation | undefined
}

/** `at` is the member that named it. Where the organization wants no errors, a code without effect is kept. */
export const checkGiftCard = async (
  order: Row,
  code: string,
  at: NonNullable<WriteViolation['at']>,
  step: Step,
): Promise<CheckedGiftCard> => {
  const card = await findGiftCardByPrefix({ ...order, gift_card_code: code }, step)
  const problem = card === undefined ? UNKNOWN_CODE : problemOfGiftCard(card, order, step.now)
  const violation =
    problem === undefined || !(await wantsErrors(step)) ? undefined : { at, ...problem, value: code }
  return { code: card?.code ?? code, isKnown: card !== undefined, violation }
}

/** What stands against the code that the order has. */
export const violationOfGiftCard = async (order: Row, step: Step): Promise<WriteViolation | undefined> => {
  const problem = await problemOfCode(order, step)
  if (problem === undefined || !(await wantsErrors(step))) return undefined
  return { at: { attribute: 'gift_card_code' }, ...problem, value: order['gift_card_code'] }
}

const wantsErrors = async (step: Step): Promise<boolean> =>
  (await readSetting('orders_invalid_gift_card_errors', step)) !== false
