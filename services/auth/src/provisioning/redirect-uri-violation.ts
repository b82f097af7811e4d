/** Which redirect URIs a credential may have. */

export const URI_MAX = 2_048

/** URL parsers drop or change these, so two readers of one text could see two addresses. */
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Cs}]/u

/** Parsers also take `https:app.example`, `https:///app.example` and `https:\\app.example`; browsers then go elsewhere than it looks. */
const WEB_ADDRESS = /^https?:\/\/[^/?#\\]/

const USER_INFO = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i

/** RFC 1123 2.1, and IP addresses as URL writes them. */
const HOST = /^(\[[0-9a-f:.]+\]|([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)$/

/** Not the first label of a reversed domain: these are schemes that open something else than an app. */
const OTHER_SCHEMES = /^(about|blob|data|file|ftp|https?|intent|javascript|mailto|sms|tel|vbscript|wss?)\./

/** RFC 8252 7.3, and the names that lead to the same place (RFC 6761 6.3). */
const LOOPBACK = /^(127\.0\.0\.1|\[::1\]|([a-z0-9-]+\.)*localhost)$/

/** The answer adds these to the query (authorize/answer-url.ts), and none may be there twice (RFC 6749 3.1). */
const ANSWERED = ['code', 'state', 'iss', 'error', 'error_description']

/** RFC 9700 2.6: nothing unencrypted leaves the user's machine. RFC 8252 7.1: the schemes of apps are reversed domains. */
const schemeViolation = (uri: string, { protocol, hostname }: URL): string | undefined => {
  if (protocol === 'https:' || protocol === 'http:') {
    if (!WEB_ADDRESS.test(uri)) return `must be written ${protocol}//<host>`
    return protocol === 'https:' || LOOPBACK.test(hostname)
      ? undefined
      : 'must not use the scheme http, except with the host 127.0.0.1, [::1], localhost or *.localhost'
  }
  return protocol.includes('.') && !OTHER_SCHEMES.test(protocol)
    ? undefined
    : `must not use the scheme ${protocol.slice(0, -1)}; allowed: https, http on the user's own machine, or the reversed domain of an app, such as com.example.app`
}

/** What makes the host another than it looks, or none. */
const hostViolation = (uri: string, { protocol, hostname }: URL): string | undefined => {
  if (USER_INFO.test(uri)) return 'must have no user name or password'
  const needsHost = protocol === 'https:' || protocol === 'http:'
  return (needsHost || hostname !== '') && !HOST.test(hostname) ? 'must have a host name' : undefined
}

/** What is wrong with it; undefined is fine. RFC 6749 3.1.2: an absolute URI without a fragment. */
export const redirectUriViolation = (uri: string): string | undefined => {
  if (INVISIBLE.test(uri)) return 'must have no white space or control characters'
  if (uri.length > URI_MAX || !URL.canParse(uri))
    return `must be an absolute URI of at most ${URI_MAX} characters`
  if (uri.includes('#')) return 'must have no fragment'
  if (uri.includes('*')) return "must have no '*': it is compared as it is written"
  const url = new URL(uri)
  const answered = ANSWERED.find((name) => url.searchParams.has(name))
  return (
    schemeViolation(uri, url) ??
    hostViolation(uri, url) ??
    (uri.includes('\\') ? 'must have no backslash' : undefined) ??
    (answered === undefined ? undefined : `must have no '${answered}' in its query: the answer adds it`)
  )
}
