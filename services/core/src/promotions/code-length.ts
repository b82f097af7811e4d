/** How long the code of a coupon or gift card is: a setting of the organization, within what the columns keep. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { readSetting } from '../markets/settings.ts'

/** The longest code that a setting can allow. */
export const CODE_CHARACTERS_MAX = 40

export const violationOfLength = async (
  type: 'coupons' | 'gift_cards',
  code: string,
  step: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<WriteViolation | undefined> => {
  const [min, max] = [
    await readSetting(`${type}_min_code_length`, step),
    await readSetting(`${type}_max_code_length`, step),
  ]
  const [fewest, most] = [Number(min), Math.min(Number(max), CODE_CHARACTERS_MAX)]
  const length = [...code].length
  if (length >= fewest && length <= most) return undefined
  const isShort = length < fewest
  return {
    at: { attribute: 'code' },
    error: isShort ? 'too_short' : 'too_long',
    message: `is too ${isShort ? 'short' : 'long'}: ${fewest} to ${most} characters are allowed, it has ${length}`,
    value: code,
    count: isShort ? fewest : most,
  }
}
