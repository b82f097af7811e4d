/**
 * Holds what can change about access tokens after they were issued, as auth publishes it: revocations and roles.
 * One long-polled request is always open, so a change arrives within milliseconds; the whole state is fetched at the
 * start, so a restart forgets nothing.
 */
import { InternalCallError } from '@merx/http/internal-call-error'
import type { InternalClient } from '@merx/http/internal-client'
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import { pause } from '@merx/telemetry/pause'
import { parseAccessState } from './access-state-document.ts'
import type { Permission } from './caller.ts'
import { createHeldAccessState } from './held-access-state.ts'
import type { AccessChange, HeldAccessState, Role } from './held-access-state.ts'

/** What the services ask about tokens, and the life of the polling that answers it. */
export interface AccessState {
  isRevoked(tokenId: string): boolean
  /** Whether auth withdrew a signing key: no token of it is good any more. */
  isKeyWithdrawn(kid: string): boolean
  /** The role as it is now; undefined when auth never sent it. */
  roleOf(roleId: string): Role | undefined
  /** Undefined for a credential or user that is as it was when its tokens were issued. */
  changeOf(subject: 'application' | 'user', id: string): AccessChange | undefined
  /** Of a custom role; empty when the role is not known. */
  permissionsOf(roleId: string): readonly Permission[]
  /** Whether the whole state was received once. Until then nobody can say that a token is not revoked. */
  readonly isLoaded: boolean
  /** Readiness of who asks this state: throws an Error until it is loaded, as every token is answered 503 until then. */
  requireLoaded(): Promise<void>
  /** For readiness checks and logs. */
  readonly freshness: {
    readonly version: string | number | undefined
    readonly receivedAt: Date | undefined
    readonly isConnected: boolean
  }
  /** Begins polling; settles with the first answer, good or bad, never rejects. Polling goes on either way. */
  start(): Promise<void>
  /** Ends the open request and stops. */
  close(): Promise<void>
}

/** `client` is an internal client of auth. */
export interface AccessStateOptions {
  /** Of auth's internal listener. */
  readonly client: InternalClient
  readonly log: Logger
  readonly clock: Clock
  /** How long auth may hold a request open. Default 25. */
  readonly waitSeconds?: number
}

const PATH = '/internal/access-state'
const RETRY_FIRST_MS = 50
const RETRY_MAX_MS = 1000
/** On top of the wait auth was asked for. */
const TRANSFER_MS = 5000

/** Auth does not know the version (its database was put back, say): begin with the whole state again. */
const isVersionRefused = (error: unknown): boolean =>
  error instanceof InternalCallError && [400, 404, 409, 410, 422].includes(error.status ?? 0)

/** @example const accessState = createAccessState({ client, log, clock: systemClock }); await accessState.start() */
export const createAccessState = (options: AccessStateOptions): AccessState => {
  const held = createHeldAccessState(options.clock)
  const stop = new AbortController()
  const { isConnected, follow } = createPolling(options, held, stop.signal)
  let polling: Promise<void> | undefined
  return {
    isRevoked: held.isRevoked,
    isKeyWithdrawn: held.isKeyWithdrawn,
    roleOf: held.roleOf,
    changeOf: held.changeOf,
    permissionsOf: (roleId) => held.roleOf(roleId)?.permissions ?? [],
    get isLoaded() {
      return held.isLoaded()
    },
    requireLoaded: async () => {
      if (!held.isLoaded()) throw new Error('auth has not sent yet which tokens are revoked')
    },
    get freshness() {
      return { version: held.version(), receivedAt: held.receivedAt(), isConnected: isConnected() }
    },
    start: async () => {
      if (polling !== undefined) throw new Error('the access state was started already')
      const { promise, resolve } = Promise.withResolvers<undefined>()
      polling = follow(() => resolve(undefined))
      await promise
    },
    close: async () => {
      stop.abort()
      await polling
    },
  }
}

const createPolling = (
  { client, log, waitSeconds = 25 }: AccessStateOptions,
  held: HeldAccessState,
  signal: AbortSignal,
) => {
  let isConnected = false

  const poll = async (): Promise<void> => {
    const after = held.version()
    const document = await client.get(PATH, {
      query: { after, wait_seconds: after === undefined ? 0 : waitSeconds },
      timeoutMs: (after === undefined ? 0 : waitSeconds * 1000) + TRANSFER_MS,
      signal,
      parse: parseAccessState,
    })
    held.take(document, after === undefined)
    if (!isConnected) log.info({ version: document.version }, 'revocations and roles follow auth')
    isConnected = true
    // Its wait was over without news; were auth ever to answer that at once, this keeps the two from spinning.
    if (document.version === after) await pause(RETRY_FIRST_MS, signal)
  }

  const onFailure = (error: unknown): void => {
    if (isVersionRefused(error)) held.restart()
    if (isConnected || !held.isLoaded())
      log.warn({ err: error }, 'auth gives no revocations and roles; asking again')
    isConnected = false
  }

  /** Until the signal aborts; `onFirst` is called after every attempt, the first of which counts. */
  const follow = async (onFirst: () => void): Promise<void> => {
    for (let retryMs = RETRY_FIRST_MS; !signal.aborted;) {
      try {
        await poll()
        retryMs = RETRY_FIRST_MS
        onFirst()
      } catch (error) {
        if (signal.aborted) break
        onFailure(error)
        onFirst()
        await pause(retryMs, signal)
        retryMs = Math.min(retryMs * 2, RETRY_MAX_MS)
      }
    }
    onFirst()
  }

  return { isConnected: () => isConnected, follow }
}
