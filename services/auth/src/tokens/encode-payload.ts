/**
 * Claims → the bytes that are signed, as ASCII JSON.
 * A client of the wild decodes the payload as plain base64 (auth.md 1.1), which has no `-` and `_`. In ASCII text those
 * two digits arise only from the characters `>`, `?`, `~` and DEL, whose low six bits are 62 or 63; these can occur only
 * inside JSON strings, where a \u escape says the same. So the payload is written in ASCII without them.
 */
const NEEDS_ESCAPE = /[^\x20-\x7e]|[>?~]/g

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** ASCII JSON whose base64url form is also plain base64 (padding aside). */
export const encodePayload = (claims: object): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(claims).replaceAll(NEEDS_ESCAPE, escapeUnit))
