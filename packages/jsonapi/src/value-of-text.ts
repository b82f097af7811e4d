/** A text sent for a number or a boolean → the one value that it means. Command lines send every value as a text. */
import type { Attribute } from './attributes.ts'
import { toExactNumber } from './exact-json.ts'

/** A number as JSON writes it: no blanks, no plus sign, no leading zeros, so that no two readings are possible. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** What is no text, or means nothing exactly, stays as it was sent and is validated so. */
export const valueOfText = (value: unknown, { kind, carries }: Attribute): unknown => {
  if (typeof value !== 'string') return value
  switch (kind === 'trigger' ? carries : kind) {
    case 'integer':
    case 'cents':
    case 'float':
      return NUMBER.test(value) ? toExactNumber(value) : value
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    default:
      return value
  }
}
