/** Opens and starts a service whose dependencies may become unavailable again after they were ready. */
import type { Logger } from '@merx/telemetry/logger'
import { pause } from '@merx/telemetry/pause'
import type { Service } from './service.ts'

export interface BeginOptions {
  readonly name: string
  readonly log: Logger
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal
  /** Resolves when every dependency works, or when the signal aborts. */
  readonly waitForAll: () => Promise<void>
  readonly open: () => Promise<Service>
  /** Whether a failure says that a dependency is unavailable, so that it may work the next time. */
  readonly isUnavailable: (error: unknown) => boolean
}

const RETRY_MS = 500

/** Tries again while what fails is a dependency. Undefined when the process is asked to end before it worked. */
export const beginService = async (options: BeginOptions): Promise<Service | undefined> => {
  const { name, log, signal, waitForAll, open, isUnavailable } = options
  for (;;) {
    await waitForAll()
    if (signal.aborted) return undefined
    let service: Service | undefined
    try {
      service = await open()
      await service.start()
      return service
    } catch (error) {
      await service?.close()
      if (!isUnavailable(error)) throw error
      log.warn({ err: error }, `${name} lost a dependency while it started; it begins again`)
    }
    await pause(RETRY_MS, signal)
  }
}
