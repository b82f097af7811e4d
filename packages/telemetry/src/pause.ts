import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Resolves after `ms`, or at once when the signal aborts; it never rejects because of the signal.
 * @example await pause(retryMs, closing.signal)
 */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
