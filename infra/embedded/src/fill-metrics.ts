/** Waits until the analytics store holds every order, unless filling it fails for so long that auth and core should not wait for it. */
import type { Ingester } from '@merx/metrics/ingest/ingester'
import { pause } from '@merx/telemetry/pause'

const LOOK_MS = 500
const STUCK_AFTER_MS = 20_000

export interface FillOptions {
  readonly stuckAfterMs?: number
  readonly lookMs?: number
}

/** False when every attempt to fill it has failed for a while; the ingest goes on trying. */
export const waitUntilFilled = async (
  ingester: Pick<Ingester, 'caughtUp' | 'status'>,
  { stuckAfterMs = STUCK_AFTER_MS, lookMs = LOOK_MS }: FillOptions = {},
): Promise<boolean> => {
  const done = new AbortController()
  const watch = async (): Promise<boolean> => {
    let failingSinceMs: number | undefined
    while (!done.signal.aborted) {
      const nowMs = performance.now()
      failingSinceMs = ingester.status().failures === 0 ? undefined : (failingSinceMs ?? nowMs)
      if (failingSinceMs !== undefined && nowMs - failingSinceMs >= stuckAfterMs) return false
      await pause(lookMs, done.signal)
    }
    return true
  }
  try {
    return await Promise.race([ingester.caughtUp().then(() => true), watch()])
  } finally {
    done.abort()
  }
}
