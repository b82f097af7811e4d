/** An argon2id hash and what it was made with, as one text: the PHC string format, version 1.3 of argon2. */

/** What argon2id takes besides password and salt. */
export interface Argon2Cost {
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly lanes: number
}

/** Everything a password is compared with. */
export interface PasswordHash {
  readonly cost: Argon2Cost
  readonly salt: Uint8Array
  readonly tag: Uint8Array
}

const PHC =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,6}),t=([1-9]\d?),p=([1-9]\d?)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,172})$/

/** A stored hash that asks for more would stop the service at the next sign-in. */
const MEMORY_MAX = 1_048_576

/** Base64 without padding, as the format has it. */
const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/** @example formatPhc({ cost, salt, tag }) // '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA' */
export const formatPhc = ({ cost: { memory, passes, lanes }, salt, tag }: PasswordHash): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${encode(salt)}$${encode(tag)}`

/** @throws Error, without the text, when it is no such string or asks for more than 1 GiB: the database is damaged. */
export const parsePhc = (text: string): PasswordHash => {
  const [, memory, passes, lanes, salt = '', tag = ''] = PHC.exec(text) ?? []
  const cost = { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) }
  if (!(cost.memory >= 8 * cost.lanes && cost.memory <= MEMORY_MAX))
    throw new Error('a stored password hash is no PHC string of argon2id within bounds')
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}
