/** The long poll of GET /internal/access-state: answers at once with news, else as soon as there are some. */
import type { Clock } from '@merx/telemetry/clock'
import type { AccessState, AccessStateReader } from './access-state.ts'
import type { ChangeSignal } from './change-signal.ts'

export interface FollowDeps {
  readonly reader: AccessStateReader
  readonly changes: ChangeSignal
  readonly clock: Clock
  /** False while changes of other replicas do not arrive by themselves. */
  readonly isListening: () => boolean
}

export interface FollowOptions {
  /** 0: the whole state, at once. */
  readonly after: number
  readonly waitMs: number
  readonly signal: AbortSignal
}

/** How often the version is looked at while nobody announces changes. */
const BLIND_POLL_MS = 250

const NOTHING_NEW = { revocations: [], changes: [], withdrawnKeys: [], roles: [] } as const

/**
 * Deltas since `after`; empty ones with the same version when nothing changed within `waitMs`.
 * An `after` from the future (the database was restored) gets the whole state.
 */
export const followAccessState = async (
  deps: FollowDeps,
  { after, waitMs, signal }: FollowOptions,
): Promise<AccessState> => {
  const { reader, changes, clock, isListening } = deps
  const deadline = performance.now() + waitMs
  for (;;) {
    // Begins to wait before it looks: a change in between wakes it.
    const waiting = new AbortController()
    const left = deadline - performance.now()
    const woken = changes.wait(
      Math.max(0, isListening() ? left : Math.min(left, BLIND_POLL_MS)),
      AbortSignal.any([signal, waiting.signal]),
    )
    try {
      const version = await reader.currentVersion()
      if (version !== after || after === 0)
        return await reader.readAfter(version < after ? 0 : after, clock.now())
      if (left <= 0 || signal.aborted) return { version: after, ...NOTHING_NEW }
      await woken
    } finally {
      waiting.abort()
    }
  }
}
