/** Customer passwords: argon2id with the parameters OWASP recommends (19 MiB, 2 passes, 1 lane). */
import { randomUUID } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** Argon2id is the library's default algorithm; the tests look at what it wrote. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The hash in PHC form, with a salt of its own. Takes some 20 ms on a thread of the pool. */
export const passwordHash = (password: string): Promise<string> => hash(password, OPTIONS)

let decoy: Promise<string> | undefined

/**
 * Whether the password belongs to the hash. Without a hash (no such customer, or one without a password) it takes as
 * long and says no, so that the time tells nobody which emails exist.
 */
export const isPasswordOf = async (stored: string | null | undefined, password: string): Promise<boolean> => {
  decoy ??= passwordHash(randomUUID())
  const against = stored ?? (await decoy)
  const matches = await verify(against, password)
  return matches && typeof stored === 'string'
}
