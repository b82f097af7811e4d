/**
 * Records the results of the token endpoint for later analysis: each token that was signed, and refusals counted
 * by client, grant, error and address. Written once a second, or when a thousand wait, away from the requests. Never a
 * token or a secret, and no text that a caller chose. Revocations and replays are in the audit log, in the transaction
 * of the act itself.
 */
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import { isClientIdShaped } from '../clients/client-secret.ts'
import { isGrantName, type GrantName } from '../grants/grant-names.ts'
import type { Owner } from '../tokens/owner.ts'

interface Origin {
  /** Address of the client. */
  readonly origin: string
  readonly requestId?: string | undefined
}

export interface TokenIssued extends Origin {
  readonly outcome: 'issued'
  readonly grant: GrantName
  readonly clientId: string
  readonly organizationId: string
  readonly owner?: Owner | undefined
  /** jti */
  readonly tokenId: string
}

export interface TokenRefused extends Origin {
  readonly outcome: 'refused'
  /** As the request has it. */
  readonly grant: unknown
  readonly clientId: unknown
  readonly error: string
}

export type TokenEvent = (TokenIssued | (Omit<TokenRefused, 'grant' | 'clientId'> & Named)) & {
  readonly occurredAt: Date
  readonly count: number
}

interface Named {
  readonly grant: GrantName | undefined
  readonly clientId: string | undefined
}

export interface TokenEvents {
  record(event: TokenIssued | TokenRefused): void
  /** Writes what is held back. Never rejects: what cannot be written is kept for the next time. */
  flush(): Promise<void>
}

export interface TokenEventsDeps {
  readonly append: (events: readonly TokenEvent[]) => Promise<void>
  readonly clock: Clock
  readonly log: Logger
}

/** Beyond it the oldest are dropped, with a line in the log: a database that is unavailable must not fill the memory. */
export const HELD_MAX = 5_000
/** So many are written at once: all of a busy second would hold the requests up. */
export const WRITTEN_AT = 1_000

const nameOf = ({ grant, clientId }: Pick<TokenRefused, 'grant' | 'clientId'>): Named => ({
  grant: typeof grant === 'string' && isGrantName(grant) ? grant : undefined,
  clientId: typeof clientId === 'string' && isClientIdShaped(clientId) ? clientId : undefined,
})

export const createTokenEvents = ({ append, clock, log }: TokenEventsDeps): TokenEvents => {
  /** Oldest first, by a key that equal refusals share. */
  let held = new Map<string, TokenEvent>()
  let dropped = 0
  let writing: Promise<void> = Promise.resolve()

  const hold = (key: string, event: TokenEvent): void => {
    const before = held.get(key)
    held.set(key, before === undefined ? event : { ...before, count: before.count + event.count })
    const oldest = held.size > HELD_MAX ? held.keys().next().value : undefined
    if (oldest === undefined) return
    held.delete(oldest)
    dropped += 1
  }

  const holdNew = (event: TokenIssued | TokenRefused): void => {
    const base = { occurredAt: clock.now(), count: 1 }
    if (event.outcome === 'issued') return hold(event.tokenId, { ...event, ...base })
    const { grant, clientId } = nameOf(event)
    hold(JSON.stringify([grant, clientId, event.error, event.origin]), { ...event, grant, clientId, ...base })
  }

  const write = async (): Promise<void> => {
    if (dropped > 0) log.warn({ dropped }, 'token events were dropped: they could not be written in time')
    dropped = 0
    if (held.size === 0) return
    const batch = held
    held = new Map()
    try {
      await append([...batch.values()])
    } catch (error) {
      log.warn({ err: error, events: batch.size }, 'token events could not be written; trying again')
      const newer = held
      held = new Map()
      for (const [key, event] of [...batch, ...newer]) hold(key, event)
    }
  }

  const flush = (): Promise<void> => {
    writing = writing.then(write)
    return writing
  }

  return {
    record: (event) => {
      holdNew(event)
      if (held.size === WRITTEN_AT) void flush()
    },
    flush,
  }
}
