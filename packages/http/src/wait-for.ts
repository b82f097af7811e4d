import type { Logger } from '@merx/telemetry/logger'
import { pause } from '@merx/telemetry/pause'
import { redactText } from '@merx/telemetry/redact'

/** Something a service cannot begin without. `place` is for people, without passwords: `PostgreSQL at db:5432`. */
export interface Dependency {
  readonly place: string
  /** Resolves when it works; it is called again and again until then. */
  readonly check: () => Promise<void>
}

const RETRY_MS = 500
const SAY_EVERY_MS = 10_000

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const message = error instanceof Error ? error.message : String(error)
  return redactText(message === '' && typeof code === 'string' ? code : message)
}

/**
 * Resolves when `dependency` works, or when the signal aborts. Says at once for what it waits and why, and again every
 * ten seconds; `onWaiting` is called for every attempt that failed.
 */
export const waitFor = async (
  { place, check }: Dependency,
  { log, signal, onWaiting }: { log: Logger; signal: AbortSignal; onWaiting: (reason: string) => void },
): Promise<void> => {
  const startedAt = performance.now()
  let saidAt = -Infinity
  while (!signal.aborted) {
    try {
      await check()
      const seconds = Math.round((performance.now() - startedAt) / 1_000)
      if (saidAt > 0) log.info({ dependency: place, seconds }, 'what was waited for is there')
      return
    } catch (error) {
      const reason = reasonOf(error)
      onWaiting(`${place}: ${reason}`)
      if (performance.now() - saidAt >= SAY_EVERY_MS) {
        log.warn({ dependency: place, reason }, 'waiting for a dependency')
        saidAt = performance.now()
      }
    }
    await pause(RETRY_MS, signal)
  }
}
