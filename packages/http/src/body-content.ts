/** Limits on what a parsed body may contain, whatever it means. */

/** Deeper than any of our documents, and far below what exhausts the stack of recursive code. */
export const DEPTH_MAX = 32

const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** `pointer` is a JSON pointer (RFC 6901) to the value. */
export interface ContentViolation {
  readonly pointer: string
  readonly message: string
}

const here = (message: string): ContentViolation => ({ pointer: '', message })

const violationInText = (text: string): ContentViolation | undefined =>
  // PostgreSQL cannot store NUL in text
  text.includes('\0') ? here('contains the character NUL (U+0000), which is not allowed') : undefined

const violationInKey = (key: string): ContentViolation | undefined =>
  key === '__proto__' ? here('the key "__proto__" is not allowed') : violationInText(key)

/** Pointers are put together on the way back, so that a valid body costs nothing. */
const violationBelow = (key: string, value: unknown, depth: number): ContentViolation | undefined => {
  const violation = findContentViolation(value, depth)
  return violation && { ...violation, pointer: `/${escapePointer(key)}${violation.pointer}` }
}

/** The first violation in a parsed JSON value: too deep, NUL in a text, or a key that would reach a prototype. */
export const findContentViolation = (value: unknown, depth = 0): ContentViolation | undefined => {
  if (typeof value === 'string') return violationInText(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === DEPTH_MAX) return here(`is nested deeper than ${DEPTH_MAX} levels`)
  for (const key of Object.keys(value)) {
    const violation =
      violationInKey(key) ?? violationBelow(key, (value as Record<string, unknown>)[key], depth + 1)
    if (violation !== undefined) return violation
  }
  return undefined
}
