/** Texts of the command line → values. An invalid one is reported with what is allowed. */
import type { Permission, PermittedAction } from '@merx/access-token/caller'
import { compile } from '@merx/validation/compile'
import { InvalidArgumentError } from 'commander'
import {
  CUSTOM_LIFETIME_SECONDS_MAX,
  CUSTOM_LIFETIME_SECONDS_MIN,
  isCustomLifetimeAllowed,
} from '../clients/lifetimes.ts'
import {
  isPublishedAheadAllowed,
  PUBLISHED_AHEAD_SECONDS_MAX,
  PUBLISHED_AHEAD_SECONDS_MIN,
} from '../keys/rotation.ts'
import { RESOURCE_TYPES } from '../roles/resource-shapes.ts'
import { CliError, EXIT } from './cli-error.ts'

const ACTIONS = ['create', 'read', 'update', 'destroy'] as const satisfies readonly PermittedAction[]

const parseWhole = (text: string): number => (/^\d{1,12}$/.test(text) ? Number(text) : NaN)

const wholeBetween =
  (min: number, max: number) =>
  (text: string): number => {
    const number = parseWhole(text)
    if (number >= min && number <= max) return number
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }

/** `name=value` → the two; the value is JSON, a text where it is none, and null for `default`. */
export const parseSetting = (text: string): readonly [name: string, value: unknown] => {
  const [, name = '', value = ''] = /^([a-z_]{1,64})=(.*)$/s.exec(text) ?? []
  if (name === '') throw new CliError(`"${text}" is no setting: write name=value.`, EXIT.usage)
  if (value === 'default') return [name, null]
  try {
    return [name, JSON.parse(value) as unknown]
  } catch {
    return [name, value]
  }
}

export const parseLimit = wholeBetween(1, 1_000)
export const parseEventNumber = (text: string): bigint => BigInt(wholeBetween(1, 999_999_999_999)(text))

/** Seconds, or `default` for that of the kind: commander turns null into an empty text. */
export const parseLifetime = (text: string): number | 'default' => {
  if (text === 'default') return text
  const seconds = parseWhole(text)
  if (isCustomLifetimeAllowed(seconds)) return seconds
  throw new InvalidArgumentError(
    `It must be a whole number of seconds from ${CUSTOM_LIFETIME_SECONDS_MIN} to ${CUSTOM_LIFETIME_SECONDS_MAX}, or 'default'.`,
  )
}

export const parseAhead = (text: string): number => {
  const seconds = parseWhole(text)
  if (isPublishedAheadAllowed(seconds)) return seconds
  throw new InvalidArgumentError(
    `It must be a whole number of seconds from ${PUBLISHED_AHEAD_SECONDS_MIN} to ${PUBLISHED_AHEAD_SECONDS_MAX}: whoever verifies tokens must learn of the key first.`,
  )
}

/** JavaScript takes the 30th of February for the 2nd of March. */
const isDay = (text: string): boolean => {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/

/** Of the years 1 to 9999 in UTC, which are those that the database reads. */
export const parseInstant = (text: string): Date => {
  const [, day] = INSTANT.exec(text) ?? []
  const instant = new Date(text)
  const year = instant.getUTCFullYear()
  if (day !== undefined && isDay(day) && year >= 1 && year <= 9_999) return instant
  throw new InvalidArgumentError(
    'It must be a date of the years 1 to 9999, or an instant with its zone, such as 2026-01-31T12:00:00Z.',
  )
}

const isAction = (text: string): text is PermittedAction => (ACTIONS as readonly string[]).includes(text)

const requireSubject = (subject: string): void => {
  if (RESOURCE_TYPES.includes(subject)) return
  throw new InvalidArgumentError(`'${subject}' is no resource type; allowed: ${RESOURCE_TYPES.join(', ')}.`)
}

/** `orders:read,update` or `skus:*`; the option is repeated for more. */
export const collectPermission = (
  text: string,
  before: readonly Permission[] = [],
): readonly Permission[] => {
  const [subject = '', list = '', ...rest] = text.split(':')
  const actions = list === '*' ? ACTIONS : [...new Set(list.split(','))]
  if (rest.length > 0 || !actions.every(isAction)) {
    throw new InvalidArgumentError(
      `'${text}' must be <resource type>:<actions>, with actions of ${ACTIONS.join(', ')} separated by commas, or *.`,
    )
  }
  requireSubject(subject)
  if (before.some((permission) => permission.subject === subject))
    throw new InvalidArgumentError(`'${subject}' is named twice; name each resource type once.`)
  return [...before, { subject, actions }]
}

const checkPermissions = compile<Permission[]>({
  type: 'array',
  maxItems: 500,
  items: {
    type: 'object',
    required: ['subject', 'actions'],
    additionalProperties: false,
    properties: {
      subject: { type: 'string', enum: RESOURCE_TYPES },
      actions: { type: 'array', uniqueItems: true, items: { type: 'string', enum: ACTIONS } },
      restrictions: { type: 'object' },
    },
  },
})

/** The JSON of `--permissions-stdin`: what `roles show --json` gives as `permissions`. */
export const parsePermissions = (text: string): readonly Permission[] => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new InvalidArgumentError(`The permissions are not JSON: ${(error as Error).message}`)
  }
  const result = checkPermissions(value)
  if (result.ok) return result.value
  throw new InvalidArgumentError(
    `The permissions are not valid: ${result.violations.map(({ pointer, message }) => `${pointer || '/'} ${message}`).join('; ')}`,
  )
}
