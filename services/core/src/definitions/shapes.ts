/** Attributes that many resources have in the same shape. */
import { oneOf, text } from '@merx/jsonapi/attributes'
import type { Attribute, AttributeOptions, RenderContext, Row } from '@merx/jsonapi/attributes'
import { EMAIL_PART, normalizeEmail } from '@merx/validation/normalize'
import { CURRENCIES } from './currencies.ts'

/** The internal name of a record. */
export const name = (options: AttributeOptions = {}): Attribute =>
  text({ write: 'always', required: true, max: 255, filter: true, sort: true, ...options })

/** A code that callers choose: optional, unique in the environment, usable in token scopes. */
export const code = (): Attribute =>
  text({ write: 'always', max: 25, pattern: /^[A-Za-z0-9_-]+$/, unique: true, filter: true, sort: true })

/** An absolute http or https address. */
export const url = (options: AttributeOptions = {}): Attribute =>
  text({ write: 'always', max: 2048, pattern: /^https?:\/\/[^\s/]+\S*$/, ...options })

const EMAIL = new RegExp(`^${EMAIL_PART}@${EMAIL_PART}\\.${EMAIL_PART}$`, 'u')

/** RFC 5321 allows 254 characters; the shape is deliberately loose, only delivery proves an address. Two spellings are one. */
export const email = (options: AttributeOptions = {}): Attribute =>
  text({ write: 'always', max: 254, pattern: EMAIL, normalize: normalizeEmail, ...options })

export const currencyCode = (options: AttributeOptions = {}): Attribute => oneOf(CURRENCIES, options)

/** What a vendor gave the shop to sign in with: sealed, and never shown again. */
export const credential = (options: AttributeOptions = {}): Attribute =>
  text({ write: 'always', required: true, max: 4096, show: 'never', sealed: true, ...options })

export const UNITS_OF_WEIGHT = ['gr', 'oz', 'lb'] as const

export const CIRCUIT_STATES = ['closed', 'open'] as const

export const ALL_OPERATIONS = ['list', 'retrieve', 'create', 'update', 'delete'] as const

export const JOB_FORMATS = ['json', 'csv'] as const

/** Where the file of a job can be read for the next minutes; every read of the job signs it again. */
export const fileUrl = (row: Row, context: RenderContext): string | null => context.fileUrl?.(row) ?? null
