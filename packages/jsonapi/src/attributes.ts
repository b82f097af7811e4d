/**
 * Attribute builders for definitions. An attribute is not writable, filterable or sortable until its options say so;
 * a row is what the store reads: an object of column values named as the columns are.
 */

/** One stored record: column name to value. */
export type Row = Readonly<Record<string, unknown>>

/** When a client may send an attribute or relationship. */
export type WritePolicy = 'always' | 'create' | 'update' | 'never'

/** What a computed attribute may know besides its row. Times are instants, ids are public ids. */
export interface RenderContext {
  readonly mode: 'test' | 'live'
  readonly organizationId: string
  /** The present, for values that depend on it. Default: the clock of the machine. */
  readonly now?: Date
  /** Address that links start with, without a trailing slash, for example `http://localhost:8080`. */
  readonly baseUrl: string
  /** Where the paths of resources begin, `/api` by default. */
  readonly path?: string
  /** Secrets are shown to confidential credentials only. */
  readonly isConfidential: boolean
  readonly customClaim?: Readonly<Record<string, unknown>> | undefined
  /** The address of the file of a job, good for a few minutes; null for callers who may not read the file. */
  readonly fileUrl?: (job: Row) => string | null
  /** What a sealed column holds, for attributes that are `secret`; null where nothing is opened, as in exports. */
  readonly openSecret?: (sealed: unknown) => string | null
  /** The secret that a column has the seed of; null where nothing is opened. */
  readonly deriveSecret?: (seed: unknown) => string | null
}

/** What kind of value an attribute holds; it decides the schema, the filters and the form on the wire. */
export type AttributeKind =
  | 'text'
  | 'integer'
  | 'float'
  | 'boolean'
  | 'instant'
  | 'object'
  | 'list'
  | 'oneOf'
  | 'cents'
  | 'computed'
  | 'loaded'
  | 'trigger'

/** What a definition says about one attribute. What is not said is not allowed. */
export interface AttributeOptions {
  /** Column of the value; the attribute's own name by default. */
  readonly column?: string
  /** Who may send it: at every write, at creation, at updates, or nobody (default). */
  readonly write?: WritePolicy
  /** Must be present and not blank at creation, and never becomes blank after. */
  readonly required?: boolean
  /** Smallest number; for text the fewest characters, for a list the fewest items. */
  readonly min?: number
  /** Largest number; for text the most characters (default 65535), for a list the most items. */
  readonly max?: number
  /** Shape of a text; anchors are up to the pattern. */
  readonly pattern?: RegExp
  /** The one form in which a text is stored and compared: applied to values that are written and to those of filters. */
  readonly normalize?: (text: string) => string
  /** No two rows of an environment have the same value; a second one is 422 `taken`. */
  readonly unique?: boolean
  /** Stored at creation when nothing was sent. */
  readonly default?: unknown
  readonly filter?: boolean
  readonly sort?: boolean
  /** `single`: only in documents of one resource, not in lists or included resources. */
  readonly show?: 'always' | 'single' | 'never'
  /** A sales channel may never send it. */
  readonly prohibited?: boolean
  /** Shown to confidential credentials only. */
  readonly secret?: boolean
  /** Of a text or an object: stored encrypted with the key of the service, so that the database holds nothing to sign in with. */
  readonly sealed?: boolean
  /** A value that begins with a slash is a path of this server; documents show it with the address they are asked at. */
  readonly served?: boolean
  /** An import may set it although nobody else may: it happened elsewhere. */
  readonly imported?: boolean
}

/** One attribute as the engine reads it: options with their defaults filled in. */
export interface Attribute {
  readonly kind: AttributeKind
  readonly column?: string
  readonly write: WritePolicy
  readonly required: boolean
  readonly min?: number
  readonly max?: number
  readonly pattern?: RegExp
  readonly normalize?: (text: string) => string
  readonly unique: boolean
  readonly default?: unknown
  readonly filter: boolean
  readonly sort: boolean
  readonly show: 'always' | 'single' | 'never'
  readonly prohibited: boolean
  readonly secret: boolean
  readonly sealed?: boolean
  readonly served?: boolean
  readonly imported?: boolean
  /** Of `oneOf`: what is allowed. */
  readonly values?: readonly string[]
  /** Of `cents`: the column with the currency of the amount. */
  readonly currencyColumn?: string
  /** Of `computed`: pure, from the row. */
  readonly compute?: (row: Row, context: RenderContext, id: string) => unknown
  /** Of `computed`: the columns it reads; all columns of other attributes are there anyway. */
  readonly columns?: readonly string[]
  /** Of `loaded`: the store's loader that gives the values of many rows in one query. */
  readonly loader?: string
  /** Of `trigger`: what it carries, and the action of the definition that it starts. */
  readonly carries?: 'boolean' | 'text' | 'integer'
  readonly action?: string
  /** Of `trigger`: it starts a command of its area, not an action of the definition. */
  readonly isCommand?: boolean
  /** Of `trigger`: it starts nothing by itself; its value is for this trigger, which must be sent too. */
  readonly argumentOf?: string
}

const attribute = (
  kind: AttributeKind,
  options: AttributeOptions,
  more: Partial<Attribute> = {},
): Attribute => ({
  write: 'never',
  required: false,
  unique: false,
  filter: false,
  sort: false,
  show: 'always',
  prohibited: false,
  secret: false,
  ...options,
  ...more,
  kind,
})

/** A string column. Empty strings are kept as sent, blank ones fail `required`. */
export const text = (options: AttributeOptions = {}): Attribute => attribute('text', options)

/** A whole number, within ±(2^53 - 1); the column may be integer or bigint. */
export const integer = (options: AttributeOptions = {}): Attribute => attribute('integer', options)

/** A finite number; the column may be double precision or numeric. */
export const float = (options: AttributeOptions = {}): Attribute => attribute('float', options)

/** True or false; the column is boolean. */
export const boolean = (options: AttributeOptions = {}): Attribute => attribute('boolean', options)

/** An instant, `2018-01-01T12:00:00.000Z` on the wire; the column is timestamptz(3). */
export const instant = (options: AttributeOptions = {}): Attribute => attribute('instant', options)

/** A JSON object; the column is jsonb. */
export const object = (options: AttributeOptions = {}): Attribute => attribute('object', options)

/** A JSON array; the column is jsonb. */
export const list = (options: AttributeOptions = {}): Attribute => attribute('list', options)

/** A string out of a fixed list; the column is text. */
export const oneOf = (values: readonly string[], options: AttributeOptions = {}): Attribute =>
  attribute('oneOf', options, { values })

/**
 * An amount in the smallest unit of the currency. The attribute's name must end in `_cents`: `price_amount_cents`
 * declares the two read-only companions `price_amount_float` and `formatted_price_amount` too, in that order.
 * `currency` names the column with the ISO 4217 code, `currency_code` by default.
 */
export const cents = (options: AttributeOptions & { readonly currency?: string } = {}): Attribute => {
  const { currency = 'currency_code', ...rest } = options
  return attribute('cents', rest, { currencyColumn: currency })
}

/**
 * A value made from the row, its public id and who reads it, never stored: not filterable or sortable. `columns` names columns that no other attribute of
 * the definition reads. What is sent of it, with `write`, is all its workflow's business.
 */
export const computed = (
  compute: (row: Row, context: RenderContext, id: string) => unknown,
  options: {
    readonly show?: 'always' | 'single' | 'never'
    readonly columns?: readonly string[]
    readonly secret?: boolean
    readonly write?: WritePolicy
  } = {},
): Attribute =>
  attribute(
    'computed',
    {
      show: options.show ?? 'always',
      secret: options.secret ?? false,
      write: options.write ?? 'never',
    },
    {
      compute,
      columns: options.columns ?? [],
    },
  )

/** A value the store computes with a query of its own, one for all rows of a document, found under `loader`. */
export const loaded = (loader: string, options: { readonly show?: 'always' | 'single' } = {}): Attribute =>
  attribute('loaded', { show: options.show ?? 'single' }, { loader })

/**
 * An attribute that starts an action and is never stored or returned; its name starts with `_`. Sending `true` (or a
 * value, when it carries one) runs the definition's action of the same name without the underscore; `false` and null
 * do nothing.
 *
 * @example attributes: { _disable: trigger({ write: 'always' }) }, actions: { disable: (row, { now }) => … }
 */
export const trigger = (
  options: {
    readonly write?: 'always' | 'create' | 'update'
    readonly carries?: 'boolean' | 'text' | 'integer'
    readonly action?: string
    readonly isCommand?: boolean
    readonly argumentOf?: string
    readonly prohibited?: boolean
  } = {},
): Attribute =>
  attribute(
    'trigger',
    { write: options.write ?? 'update', show: 'never', prohibited: options.prohibited ?? false },
    {
      carries: options.carries ?? 'boolean',
      ...(options.action === undefined ? {} : { action: options.action }),
      ...(options.isCommand === undefined ? {} : { isCommand: options.isCommand }),
      ...(options.argumentOf === undefined ? {} : { argumentOf: options.argumentOf }),
    },
  )

/** The names of the two companions of an amount: its value in units and as text. */
export const companionsOf = (name: string): { readonly float: string; readonly formatted: string } => {
  const base = name.slice(0, -'_cents'.length)
  return { float: `${base}_float`, formatted: `formatted_${base}` }
}

/** Whether the attribute is a column of the resource's own table. */
export const isStored = (declared: Attribute): boolean =>
  declared.kind !== 'computed' && declared.kind !== 'loaded' && declared.kind !== 'trigger'
