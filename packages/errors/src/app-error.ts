/** The one error class of Merx, and the one that carries several at once. */
import { entryOf, type ErrorCode, type ErrorLevel } from './catalogue.ts'

/** Where the violation is: a JSON pointer (RFC 6901) into the body, a query parameter, or a header. */
export interface ErrorSource {
  readonly pointer?: string
  readonly parameter?: string
  readonly header?: string
}

/** All fields but `cause` and `level` are public; those are for the log. */
export interface AppErrorOptions {
  /** Replaces the title of the table; validation uses the message itself (core-conventions.md 9.1). */
  readonly title?: string | undefined
  readonly detail?: string | undefined
  readonly source?: ErrorSource | undefined
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** Response headers that belong to this error, such as Allow or WWW-Authenticate. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly cause?: unknown
  /** Replaces the level of the table, for a refusal under load, which is no failure. */
  readonly level?: ErrorLevel | undefined
}

/**
 * An error that is returned to the caller. Status, level, title and headers of its own come from the catalogue.
 *
 *     throw new AppError('filter_not_allowed', { detail: 'allowed: name', source: { parameter: 'filter[q]' } })
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly status: number
  readonly level: ErrorLevel
  readonly title: string
  // declared, not defined: an absent field is no property at all
  declare readonly detail?: string
  declare readonly source?: ErrorSource
  declare readonly meta?: Readonly<Record<string, unknown>>
  declare readonly headers?: Readonly<Record<string, string>>

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    const entry = entryOf(code)
    const title = options.title ?? entry.title
    const detail = options.detail ?? entry.detail
    super(`${code}: ${detail ?? title}`, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.status = entry.status
    this.level = options.level ?? entry.level
    this.title = title
    if (detail !== undefined) this.detail = detail
    if (options.source !== undefined) this.source = options.source
    if (options.meta !== undefined) this.meta = options.meta
    if (entry.headers !== undefined || options.headers !== undefined)
      this.headers = { ...entry.headers, ...options.headers }
  }
}

/** All violations of one request at once. Never empty: an empty list throws a RangeError. */
export class AppErrors extends Error {
  override readonly name = 'AppErrors'
  readonly errors: readonly AppError[]

  constructor(errors: readonly AppError[]) {
    if (errors.length === 0) throw new RangeError('AppErrors needs at least one error')
    super(errors.map((error) => error.message).join('; '))
    this.errors = errors
  }
}
