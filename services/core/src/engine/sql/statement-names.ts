/**
 * The name a statement is prepared under, once per connection; the same text has the same name. Callers can choose
 * which columns they send, so there is a bound: statements beyond it are planned each time.
 */
import { createHash } from 'node:crypto'

/** A connection keeps each of them, with its plan, in PostgreSQL. */
const NAMES_MAX = 1_000

const names = new Map<string, string>()

/** Spread it into a statement. */
export const preparedAs = (text: string): { readonly name?: string } => {
  const known = names.get(text)
  if (known !== undefined) return { name: known }
  if (names.size >= NAMES_MAX) return {}
  const name = statementName(text)
  names.set(text, name)
  return { name }
}

/** A hash of the text, shorter than the 63 bytes PostgreSQL has for a name. */
export const statementName = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 32)
