/** Secrets never reach a log: values under telling names, and tokens inside any text, at every depth. */

/** What stands in for a secret. */
export const REDACTED = '[redacted]'

/** Names whose values are secrets, compared in lower case without `-` and `_`. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'accesstoken',
  'apikey',
  'assertion',
  'authorization',
  'clientassertion',
  'clientsecret',
  'codeverifier',
  'cookie',
  'cookies',
  'currentpassword',
  'idtoken',
  'jwt',
  'newpassword',
  'password',
  'passwordconfirmation',
  'privatekey',
  'proxyauthorization',
  'refreshtoken',
  'secret',
  'servicekey',
  'setcookie',
  'sharedsecret',
  'signingkey',
  'token',
])

const DEPTH_MAX = 8
const ENTRIES_MAX = 100
const TEXT_MAX = 8_192

const NAMES_MAX = 1_000
const judged = new Map<string, boolean>()

/** Names of fields are few and come with every line, so each is judged once. */
const isSecretName = (name: string): boolean => {
  const known = judged.get(name)
  if (known !== undefined) return known
  const isSecret = SECRET_NAMES.has(name.toLowerCase().replaceAll('-', '').replaceAll('_', ''))
  if (judged.size < NAMES_MAX) judged.set(name, isSecret)
  return isSecret
}

/** Signed tokens, Authorization values, user:password@ in URLs, and secrets in query strings and forms. */
const SECRET_TEXT = [
  /eyJ[\w-]{4,}\.[\w-]+\.[\w-]*/g,
  /(?<=\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  /(?<=:\/\/[^\s/:@]{0,256}:)[^\s/@]{1,256}(?=@)/g,
  /(?<=\b(?:access_token|refresh_token|client_secret|password|assertion|code_verifier)=)[^&\s"']{1,4096}/gi,
] as const

/** Text that matches none of SECRET_TEXT, seen at one look: most lines hold paths, names and numbers only. */
const SUSPICIOUS = /eyJ|bearer|basic|:\/\/|=/i

/** The text without the secrets that can be recognized in it, cut at 8,192 characters. */
export const redactText = (text: string): string => {
  if (text.length <= TEXT_MAX && !SUSPICIOUS.test(text)) return text
  const cut = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}… (${text.length} characters)` : text
  return SECRET_TEXT.reduce((clean, pattern) => clean.replaceAll(pattern, REDACTED), cut)
}

const redactEntries = (entries: Iterable<[string, unknown]>, depth: number): Record<string, unknown> => {
  const clean: Record<string, unknown> = {}
  let count = 0
  for (const [name, value] of entries) {
    if (count++ === ENTRIES_MAX) {
      clean['…'] = 'more entries left out'
      break
    }
    clean[name] = isSecretName(name) && value !== undefined ? REDACTED : redactValue(value, depth + 1)
  }
  return clean
}

const redactError = (error: Error, depth: number): Record<string, unknown> => ({
  type: error.constructor.name,
  message: redactText(error.message),
  stack: redactText(error.stack ?? ''),
  ...redactEntries(
    Object.entries(error).filter(([name]) => name !== 'stack' && name !== 'message'),
    depth,
  ),
  ...(error instanceof AggregateError ? { errors: redactValue(error.errors, depth + 1) } : {}),
  ...(error.cause === undefined ? {} : { cause: redactValue(error.cause, depth + 1) }),
})

const hasToJson = (value: object): value is { toJSON(): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function'

const redactObject = (value: object, depth: number): unknown => {
  if (depth > DEPTH_MAX) return '[too deep]'
  if (value instanceof Error) return redactError(value, depth)
  if (Array.isArray(value)) {
    const items = value.slice(0, ENTRIES_MAX).map((item) => redactValue(item, depth + 1))
    return value.length > ENTRIES_MAX ? [...items, `… (${value.length} items)`] : items
  }
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (value instanceof Map) {
    return redactEntries(
      [...value].map(([name, item]): [string, unknown] => [String(name), item]),
      depth,
    )
  }
  if (value instanceof Set) return redactObject([...value], depth)
  if (hasToJson(value)) return redactValue(value.toJSON(), depth + 1)
  return redactEntries(Object.entries(value), depth)
}

/** A copy of `value` fit for a log: secrets replaced; at most 8 levels deep, 100 entries a level. */
export const redactValue = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'object' && value !== null) return redactObject(value, depth)
  return value
}

/** `redactValue` for the fields of one log line. */
export const redactFields = (fields: Record<string, unknown>): Record<string, unknown> =>
  redactEntries(Object.entries(fields), 0)
