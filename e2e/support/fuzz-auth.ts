/** Generated requests to the authentication host: every grant, whole and damaged. */
import type { FuzzRequest } from './fuzz-request.ts'
import { ODD_MEDIA_TYPES, ODD_TEXTS, ODD_VALUES } from './odd-values.ts'
import type { Random } from './random.ts'

/** What the fuzzer may use of the demo data. */
export interface KnownForTokens {
  readonly clients: readonly { readonly client_id: string; readonly client_secret: string }[]
  readonly people: readonly { readonly email: string; readonly password: string }[]
  readonly references: readonly string[]
  readonly tokens: readonly string[]
  readonly assertions: readonly string[]
}

const GRANTS = [
  'client_credentials',
  'password',
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
]

export const createAuthFuzz = (random: Random, known: KnownForTokens) => {
  const { pick, chance, many } = random
  const odd = (): unknown => (chance(0.5) ? pick(ODD_VALUES) : pick(ODD_TEXTS))
  const scope = (): unknown =>
    chance(0.1)
      ? odd()
      : many(0, 4, () =>
          chance(0.85)
            ? pick(known.references)
            : `market:${pick(['id', 'code', 'all', 'x'])}:${pick(ODD_TEXTS)}`,
        ).join(chance(0.9) ? ' ' : pick(['  ', ',', '\t', '+', '\u0000']))

  const damaged = (token: string): string => {
    const at = random.below(token.length)
    return chance(0.5)
      ? token.slice(0, at)
      : `${token.slice(0, at)}${pick(['.', 'A', '%', '\u0000', ''])}${token.slice(at + 1)}`
  }

  const parameters = (): Record<string, unknown> => {
    const { client_id, client_secret } = pick(known.clients)
    const { email, password } = pick(known.people)
    const some: Record<string, unknown> = {
      grant_type: pick(GRANTS),
      client_id,
      ...(chance(0.7) ? { client_secret } : {}),
      ...(chance(0.8) ? { scope: scope() } : {}),
      ...(chance(0.5) ? { username: email, password: chance(0.8) ? password : 'wrong password' } : {}),
      ...(chance(0.4)
        ? { assertion: chance(0.6) ? pick(known.assertions) : damaged(pick(known.assertions)) }
        : {}),
      ...(chance(0.4) ? { refresh_token: pick(ODD_TEXTS), code: pick(ODD_TEXTS) } : {}),
      ...(chance(0.4) ? { token: chance(0.5) ? damaged(pick(known.tokens)) : pick(ODD_TEXTS) } : {}),
    }
    for (const name of many(0, 2, () => pick(Object.keys(some)))) if (chance(0.5)) some[name] = odd()
    if (chance(0.05)) some[pick(ODD_TEXTS)] = odd()
    return some
  }

  const form = (fields: Record<string, unknown>): string =>
    Object.entries(fields)
      .map(
        ([key, value]) =>
          `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(String(value).toWellFormed())}`,
      )
      .join('&')

  const body = (isForm: boolean): string | Buffer => {
    const fields = parameters()
    const text = isForm ? form(fields) : JSON.stringify(chance(0.95) ? fields : odd())
    switch (random.below(30)) {
      case 0:
        return text.slice(0, random.below(text.length + 1))
      case 1:
        return Buffer.from(text, 'utf16le')
      case 2:
        return `\ufeff${text}`
      case 3:
        return isForm ? `${text}&${text}&a[b][c]=1&__proto__[x]=1` : `{"client_id":1,${text.slice(1)}`
      case 4:
        return isForm ? '%=%zz&%ff=%ff&=&&' : '{"a":'.repeat(5_000)
      default:
        return text
    }
  }

  return (): FuzzRequest => {
    const isForm = chance(0.25)
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
    const { client_id, client_secret } = pick(known.clients)
    const basic = Buffer.from(chance(0.7) ? `${client_id}:${client_secret}` : pick(ODD_TEXTS)).toString(
      'base64',
    )
    return {
      method: chance(0.95) ? 'POST' : pick(['GET', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH']),
      path: pick([
        '/oauth/token',
        '/oauth/token',
        '/oauth/token',
        '/oauth/token',
        '/oauth/revoke',
        '/oauth/introspect',
      ]),
      headers: {
        Accept: chance(0.9) ? 'application/json' : pick(ODD_MEDIA_TYPES),
        'Content-Type': chance(0.95) ? type : pick(ODD_MEDIA_TYPES),
        ...(chance(0.15)
          ? { Authorization: pick([`Basic ${basic}`, 'Basic', 'Basic %%%', 'Bearer x', `basic ${basic}`]) }
          : {}),
      },
      body: body(isForm),
    }
  }
}
