/** The type of a configuration field: how one environment variable is parsed and described. */

/** A value, or the reason it is refused: a phrase after the name, such as `is not a number`. Never quotes secrets. */
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string }

/** One declared variable. Without a default and not optional it is required. */
export interface Field<T> {
  /** What is allowed, for people: `a port, 0 to 65535`. */
  readonly allowed: string
  readonly parse: (raw: string) => Parsed<T>
  /** What it is for, for people. */
  readonly help: string
  readonly isOptional: boolean
  readonly isSecret: boolean
  /** The text used when the variable is absent or empty. */
  readonly defaultText?: string
  /** As `defaultText`, but refused in production. */
  readonly developmentText?: string
}

/** `help` says in a few words what the variable is for; it goes into README and .env.example. */
export interface FieldOptions<T> {
  readonly help?: string
  readonly default?: T
  readonly optional?: boolean
}

/** A value that may be missing when the field is declared optional. */
export type Maybe<T, O> = O extends { readonly optional: true } ? T | undefined : T

/** The outcome of a text that is fine. */
export const accept = <T>(value: T): Parsed<T> => ({ ok: true, value })

/** The outcome of a text that is not; `reason` follows the name of the variable. */
export const refuse = <T>(reason: string): Parsed<T> => ({ ok: false, reason })

const QUOTE_MAX = 60

/** The refused text as a message may show it. */
export const quote = (raw: string): string =>
  JSON.stringify(raw.length > QUOTE_MAX ? `${raw.slice(0, QUOTE_MAX)}…` : raw)
