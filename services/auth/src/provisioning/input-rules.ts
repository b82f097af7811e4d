/** Rules about what may be provisioned. All violations of an input are reported at once. */
import { AppError, AppErrors } from '@merx/errors/app-error'
import { EMAIL_PART, normalizeEmail } from '@merx/validation/normalize'

/** By input field: what is wrong and what is allowed, or undefined when it is fine. */
export type Violations = Readonly<Record<string, string | undefined>>

/** Fields that JSON:API calls relationships. */
const RELATIONSHIPS = ['role', 'organization']

const pointerTo = (field: string): string =>
  `/data/${RELATIONSHIPS.includes(field) ? 'relationships' : 'attributes'}/${field}`

/**
 * @throws AppErrors of validation_error, one for each faulty field.
 */
export const requireNoViolations = (violations: Violations): void => {
  const errors = Object.entries(violations).flatMap(([field, message]) =>
    message === undefined
      ? []
      : [
          new AppError('validation_error', {
            title: message,
            detail: `${field} - ${message}`,
            source: { pointer: pointerTo(field) },
          }),
        ],
  )
  if (errors.length > 0) throw new AppErrors(errors)
}

const SLUG = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/**
 * One @, no spaces and nothing that is not seen or turns the writing around: enough to catch slips and lookalikes, no
 * more (RFC 5321 4.5.3.1.3: 254).
 */
const EMAIL = new RegExp(`^${EMAIL_PART}@${EMAIL_PART}$`, 'u')
export const NAME_MAX = 120
export const EMAIL_MAX = 254
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 1_024

/** Names of hosts that are no organization's, such as `auth.<domain>`, and names that look like ours. */
const RESERVED_SLUGS = [
  'admin',
  'api',
  'auth',
  'core',
  'dashboard',
  'gateway',
  'internal',
  'localhost',
  'metrics',
  'provisioning',
  'status',
  'www',
]

export const slugViolation = (slug: string): string | undefined => {
  if (!SLUG.test(slug)) return 'must be 1 to 63 lower-case letters, digits and inner hyphens'
  return RESERVED_SLUGS.includes(slug) ? `must be none of ${RESERVED_SLUGS.join(', ')}` : undefined
}

export const nameViolation = (name: string): string | undefined =>
  name.trim() !== '' && name.length <= NAME_MAX && !name.includes('\0')
    ? undefined
    : `must have 1 to ${NAME_MAX} characters`

/** Of people: not everybody has both a first and a last name. */
export const personNameViolation = (name: string): string | undefined =>
  name === '' || nameViolation(name) === undefined
    ? undefined
    : `must be empty or have 1 to ${NAME_MAX} characters`

/** Judged as it is stored: some characters are longer in lower case. */
export const emailViolation = (email: string): string | undefined =>
  normalizeEmail(email).length <= EMAIL_MAX && EMAIL.test(email)
    ? undefined
    : `must be an email address of at most ${EMAIL_MAX} characters`

export const passwordViolation = (password: string): string | undefined =>
  password.length >= PASSWORD_MIN && password.length <= PASSWORD_MAX
    ? undefined
    : `must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`

const REGION = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

export const regionViolation = (region: string): string | undefined =>
  REGION.test(region) ? undefined : 'must be 1 to 63 lower-case letters, digits and inner hyphens'

/** Offsets such as +02:00 are zones to JavaScript, but no names: they know no summer time. */
export const timeZoneViolation = (zone: string): string | undefined => {
  const violation = 'must be the IANA name of a time zone, such as Europe/Rome'
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(zone)) return violation
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone === ''
      ? violation
      : undefined
  } catch (error) {
    if (error instanceof RangeError) return violation
    throw error
  }
}
