/** The rate limits that this page has met: what the last answer of each interface and path said of them. */

export interface LimitInUse {
  readonly path: string
  readonly limit: number
  readonly remaining: number
  /** Seconds. */
  readonly interval: number
  readonly at: Date
}

const met = new Map<string, LimitInUse>()

/** The first two parts of a path have a budget of their own. */
const familyOf = (pathname: string): string => pathname.split('/').slice(0, 3).join('/')

const numberOf = (headers: Headers, name: string): number | undefined => {
  const value = headers.get(name)
  return value === null || !/^\d+$/.test(value) ? undefined : Number(value)
}

/** Call it with every answer; those without limits are not noted. */
export const noteLimits = (response: Response): Response => {
  const limit = numberOf(response.headers, 'x-ratelimit-limit')
  const remaining = numberOf(response.headers, 'x-ratelimit-remaining')
  const interval = numberOf(response.headers, 'x-ratelimit-interval')
  if (limit !== undefined && remaining !== undefined && interval !== undefined) {
    const path = familyOf(new URL(response.url).pathname)
    met.set(path, { path, limit, remaining, interval, at: new Date() })
  }
  return response
}

/** By path. */
export const limitsInUse = (): readonly LimitInUse[] =>
  [...met.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
