/** The values of one statement. The environment is always the first: every table of a statement states it. */

export interface Params {
  /** `$1`, the environment. */
  readonly environment: string
  readonly values: readonly unknown[]
  /** Gives the placeholder of a value, with its type, because PostgreSQL cannot always tell: `$2::text`. */
  add(value: unknown, type: SqlType): string
}

export type SqlType =
  | 'text'
  | 'bigint'
  | 'numeric'
  | 'boolean'
  | 'timestamptz'
  | 'json'
  | 'jsonb'
  | 'bytea'
  | 'text[]'
  | 'bigint[]'
  | 'numeric[]'
  | 'boolean[]'
  | 'timestamptz[]'

/** Identifiers never pass through here: they come from definitions, which are checked at load. */
export const createParams = (environmentId: number): Params => {
  const values: unknown[] = [environmentId]
  return {
    environment: '$1',
    values,
    add: (value, type) => `$${values.push(value)}::${type}`,
  }
}

/** A complete statement. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Statements of which there are few are prepared once per connection under this name. */
  readonly name?: string
}
