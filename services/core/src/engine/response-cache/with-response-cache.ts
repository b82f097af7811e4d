/**
 * A read handler → the same handler, which repeats a response while nothing that it is made of changed. Token, rate limit,
 * permission and data version are checked for every request; reading and rendering are what is saved.
 */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { ListQuery } from '@merx/jsonapi/query'
import { LRUCache } from 'lru-cache'
import type { Registry } from '../registry.ts'
import { isOwnPage, responseKey } from './response-key.ts'
import type { KeyedRequest } from './response-key.ts'

/** The body of a response, and the query that it answers. */
export interface ReadResponse {
  readonly query: Pick<ListQuery, 'filters' | 'include'>
  readonly body: Buffer
}

export type ReadHandler<R> = (request: R) => Promise<ReadResponse>

export interface ResponseCache {
  readonly bodies: LRUCache<string, Buffer>
  /** Called once per request. */
  readonly count: (isHit: boolean) => void
}

const BYTES_MAX = 64 * 1_048_576

/** One per process, for all environments. Bodies of versions that are no longer current are evicted as the least used. */
export const createResponseCache = (count: ResponseCache['count'], maxBytes = BYTES_MAX): ResponseCache => ({
  count,
  bodies: new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: (body, key) => body.byteLength + key.length * 2,
  }),
})

export const withResponseCache =
  <R extends KeyedRequest>(
    read: ReadHandler<R>,
    definition: ResourceDefinition,
    { registry, cache }: { readonly registry: Registry; readonly cache: ResponseCache },
  ): ((request: R) => Promise<Buffer>) =>
  async (request) => {
    const { bodies, count } = cache
    const key = responseKey(definition, request, registry)
    const cached = key === undefined ? undefined : bodies.get(key)
    count(cached !== undefined)
    if (cached !== undefined) return cached
    const { query, body } = await read(request)
    if (key !== undefined && isOwnPage(query)) bodies.set(key, body)
    return body
  }
