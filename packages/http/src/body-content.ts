/** Limits on what a parsed body may contain, whatever it means. */

/** Deeper than any document of ours, far below what exhausts the stack of recursive code. */
export const DEPTH_MAX = 32

const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** What is wrong and where, as a JSON pointer (RFC 6901). */
export interface ContentFault {
  readonly pointer: string
  readonly message: string
}

const faultInText = (text: string, pointer: string): ContentFault | undefined =>
  // PostgreSQL cannot store NUL in text
  text.includes('\0')
    ? { pointer, message: 'contains the character NUL (U+0000), which is not allowed' }
    : undefined

const faultInKey = (key: string, pointer: string): ContentFault | undefined =>
  key === '__proto__' ? { pointer, message: 'the key "__proto__" is not allowed' } : faultInText(key, pointer)

/** The first fault in a parsed JSON value: too deep, NUL in a text, or a key that would reach a prototype. */
export const findContentFault = (value: unknown, pointer = '', depth = 0): ContentFault | undefined => {
  if (typeof value === 'string') return faultInText(value, pointer)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === DEPTH_MAX) return { pointer, message: `is nested deeper than ${DEPTH_MAX} levels` }
  for (const [key, item] of Object.entries(value)) {
    const place = `${pointer}/${escapePointer(key)}`
    const fault = faultInKey(key, pointer) ?? findContentFault(item, place, depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}
