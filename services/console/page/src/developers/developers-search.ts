/** What the addresses of the developers' screens say; an address that somebody typed is no reason for an error page. */

export const SERVICES = ['core', 'metrics', 'auth'] as const
export type Service = (typeof SERVICES)[number]

export const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

export interface ReferenceSearch {
  readonly service: Service
  readonly text?: string
}

export interface RequestSearch {
  readonly method: Method
  /** Begins with a slash; it is on this origin. */
  readonly path: string
}

const TEXT_MAX = 200
const PATH_MAX = 4_000
const DEFAULT_PATH = '/api/orders?page[size]=1'

export const readReferenceSearch = (raw: Readonly<Record<string, unknown>>): ReferenceSearch => {
  const service = SERVICES.find((name) => name === raw['service']) ?? 'core'
  const { text } = raw
  return {
    service,
    ...(typeof text === 'string' && text !== '' ? { text: text.slice(0, TEXT_MAX) } : {}),
  }
}

/** A path of another origin, such as `//example.com`, is none of this page's. */
export const isOwnPath = (path: string): boolean => /^\/(?!\/|\\)/.test(path) && path.length <= PATH_MAX

export const readRequestSearch = (raw: Readonly<Record<string, unknown>>): RequestSearch => {
  const { path } = raw
  return {
    method: METHODS.find((name) => name === raw['method']) ?? 'GET',
    path: typeof path === 'string' && isOwnPath(path) ? path : DEFAULT_PATH,
  }
}
