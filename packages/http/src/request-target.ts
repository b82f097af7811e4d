/** The forms a request target may have (RFC 9112 3.2). */

/**
 * The target as path and query. A server must accept the absolute form too (RFC 9112 3.2.2); Express cannot parse all
 * of those and answers them with HTML. Undefined when it is neither a path, nor `*`, nor an http URL.
 */
export const toOriginForm = (target: string): string | undefined => {
  if (target.startsWith('/') || target === '*') return target
  const url = URL.parse(target)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? `${url.pathname}${url.search}` : undefined
}
