/** Core's order feed over HTTP: its pages as bytes, and the lease on filling a store from it. */
import { InternalCallError } from '@merx/http/internal-call-error'
import type { InternalClient } from '@merx/http/internal-client'
import { compile } from '@merx/validation/compile'

export interface FeedRequest {
  /** The cursor of the last page; undefined reads from the start. */
  readonly after: string | undefined
  /** How long core may wait for a change, 0 to 25. */
  readonly waitSeconds: number
  readonly signal: AbortSignal
}

export interface LeaseRequest {
  /** Name of the store that is filled. */
  readonly store: string
  /** Name of the requesting process. */
  readonly holder: string
  /** 0 gives the lease back. */
  readonly ttlMs: number
  /** The highest token that the store has seen. */
  readonly above: number
  /** The position of the store; the answer counts the changes behind it. */
  readonly after: string | undefined
  /** The status of the holder; core stores it for the other processes. */
  readonly report: Readonly<Record<string, unknown>>
}

export interface LeaseAnswer {
  readonly isHeld: boolean
  readonly token: number
  /** Of the present holder, whoever that is. */
  readonly report: Readonly<Record<string, unknown>>
  /** Changes behind `after`, counted up to 10,000. */
  readonly backlog: number | undefined
}

export interface FeedSource {
  /** The bytes of a page, alone in their buffer. Throws InternalCallError when core is unavailable or refuses the cursor. */
  read(request: FeedRequest): Promise<Uint8Array<ArrayBuffer>>
  /** Takes, renews or gives back the lease (docs/adr/0034-one-ingester-per-store.md). Throws InternalCallError. */
  takeLease(request: LeaseRequest): Promise<LeaseAnswer>
}

/** Core understood the request and will never accept its cursor. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof InternalCallError && (error.status === 400 || error.status === 410)

/** An answer of core was larger than allowed. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof InternalCallError && error.reason === 'too_large'

/** Orders of a page. */
const LIMIT = 500
const ANSWER_TIMEOUT_MS = 20_000
/** Less than a lease lasts, so that a lost packet does not cost the lease. */
const LEASE_TIMEOUT_MS = 1_500

interface LeaseBody {
  readonly is_held: boolean
  readonly token: number
  readonly report: Readonly<Record<string, unknown>>
  readonly backlog: number | null
}

const parseLease = compile<LeaseBody>({
  type: 'object',
  required: ['is_held', 'token', 'report', 'backlog'],
  properties: {
    is_held: { type: 'boolean' },
    token: { type: 'integer', minimum: 0 },
    report: { type: 'object' },
    backlog: { type: ['integer', 'null'], minimum: 0 },
  },
})

const toLease = (answer: unknown): LeaseAnswer => {
  const result = parseLease(answer)
  if (!result.ok)
    throw new Error(`core answered with an invalid lease: ${result.violations[0]?.pointer ?? ''}`)
  const { is_held: isHeld, token, report, backlog } = result.value
  return { isHeld, token, report, backlog: backlog ?? undefined }
}

/**
 * Requests half as many orders while an answer is too large, and twice as many, up to the limit, after one that was not.
 * Throws `too_large` when one order alone is.
 */
const createPageReader = (core: InternalClient): FeedSource['read'] => {
  let next = LIMIT
  return async ({ after, waitSeconds, signal }) => {
    // The limit of this page alone: pages for live tables are read while shadow tables are filled, and may be smaller.
    for (let limit = next; ; limit = Math.floor(limit / 2)) {
      try {
        const bytes = await core.getBytes('/internal/order-feed', {
          query: { after, limit, wait_seconds: waitSeconds },
          timeoutMs: waitSeconds * 1000 + ANSWER_TIMEOUT_MS,
          signal,
        })
        next = Math.min(LIMIT, limit * 2)
        return bytes
      } catch (error) {
        if (!isTooLarge(error) || limit === 1) throw error
      }
    }
  }
}

export const createFeedSource = (core: InternalClient): FeedSource => ({
  read: createPageReader(core),
  takeLease: ({ store, holder, ttlMs, above, after, report }) =>
    core.post(
      '/internal/order-feed/lease',
      { store, holder, ttl_ms: ttlMs, above, report, ...(after === undefined ? {} : { after }) },
      { timeoutMs: LEASE_TIMEOUT_MS, parse: toLease },
    ),
})
