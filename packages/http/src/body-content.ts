/** Limits on what a parsed body may contain, whatever it means. */

/** Deeper than any document of ours, far below what exhausts the stack of recursive code. */
export const DEPTH_MAX = 32

const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** What is wrong and where, as a JSON pointer (RFC 6901). */
export interface ContentFault {
  readonly pointer: string
  readonly message: string
}

const here = (message: string): ContentFault => ({ pointer: '', message })

const faultInText = (text: string): ContentFault | undefined =>
  // PostgreSQL cannot store NUL in text
  text.includes('\0') ? here('contains the character NUL (U+0000), which is not allowed') : undefined

const faultInKey = (key: string): ContentFault | undefined =>
  key === '__proto__' ? here('the key "__proto__" is not allowed') : faultInText(key)

/** Pointers are put together on the way back, so that a body without faults costs none. */
const faultBelow = (key: string, value: unknown, depth: number): ContentFault | undefined => {
  const fault = findContentFault(value, depth)
  return fault && { ...fault, pointer: `/${escapePointer(key)}${fault.pointer}` }
}

/** The first fault in a parsed JSON value: too deep, NUL in a text, or a key that would reach a prototype. */
export const findContentFault = (value: unknown, depth = 0): ContentFault | undefined => {
  if (typeof value === 'string') return faultInText(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === DEPTH_MAX) return here(`is nested deeper than ${DEPTH_MAX} levels`)
  for (const key of Object.keys(value)) {
    const fault = faultInKey(key) ?? faultBelow(key, (value as Record<string, unknown>)[key], depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}
