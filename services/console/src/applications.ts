/** The webapp credentials that the console signs users in with: one for each organization and mode. */
import { accept, refuse, type Field, type Parsed } from '@merx/config/field'

export const MODES = ['test', 'live'] as const
export type Mode = (typeof MODES)[number]

/** One credential of kind webapp. */
export interface Application {
  /** Slug of the organization. */
  readonly organization: string
  readonly mode: Mode
  readonly clientId: string
  readonly clientSecret: string
  /** As it is registered with the credential; its origin is where browsers reach the console. */
  readonly redirectUri: string
}

export const CALLBACK_PATH = '/console/callback'

const APPLICATIONS_MAX = 200
const LENGTH_MAX = 1_024
const NAMES = ['organization', 'mode', 'client_id', 'client_secret', 'redirect_uri'] as const

type Entry = Readonly<Record<(typeof NAMES)[number], string>>

const isEntry = (value: unknown): value is Entry => {
  if (value === null || typeof value !== 'object') return false
  const entry = value as Readonly<Record<string, unknown>>
  return NAMES.every((name) => {
    const text = entry[name]
    return typeof text === 'string' && text.length > 0 && text.length <= LENGTH_MAX
  })
}

const violationOf = (value: unknown): string | undefined => {
  if (!isEntry(value)) return `needs the texts ${NAMES.join(', ')}`
  if (!MODES.some((mode) => mode === value.mode)) return `has a mode other than ${MODES.join(' or ')}`
  if (!/^[a-z\d-]+$/.test(value.organization)) return 'has an organization that is not a slug'
  if (!URL.canParse(value.redirect_uri)) return 'has a redirect_uri that is not a URL'
  return new URL(value.redirect_uri).pathname === CALLBACK_PATH
    ? undefined
    : `has a redirect_uri whose path is not ${CALLBACK_PATH}`
}

const toApplication = (entry: Entry): Application => ({
  organization: entry.organization,
  mode: entry.mode as Mode,
  clientId: entry.client_id,
  clientSecret: entry.client_secret,
  redirectUri: entry.redirect_uri,
})

const parseJson = (raw: string): unknown => {
  try {
    return JSON.parse(raw) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Its texts are secrets, so refusals never quote them. */
export const parseApplications = (raw: string): Parsed<readonly Application[]> => {
  const entries = parseJson(raw)
  if (!Array.isArray(entries)) return refuse('is not a JSON list')
  if (entries.length > APPLICATIONS_MAX) return refuse(`has ${entries.length} entries`)
  for (const [index, entry] of entries.entries()) {
    const violation = violationOf(entry)
    if (violation !== undefined) return refuse(`entry ${index + 1} ${violation}`)
  }
  const applications = (entries as readonly Entry[]).map(toApplication)
  const environments = applications.map(({ organization, mode }) => `${organization} ${mode}`)
  const repeated = environments.find((name, at) => environments.indexOf(name) !== at)
  return repeated === undefined ? accept(applications) : refuse(`has ${repeated} twice`)
}

/** A JSON list of credentials. */
export const applications = (options: { readonly help: string }): Field<readonly Application[]> => ({
  allowed: `a JSON list of at most ${APPLICATIONS_MAX} objects with ${NAMES.join(', ')}`,
  parse: parseApplications,
  help: options.help,
  isOptional: false,
  isSecret: false, // not judged as one text: it holds addresses, too
  defaultText: '[]',
})
