/** When the person, the init system or the parent process wants this one to end. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ctrl-C arrives twice, from the terminal and from the parent that passes it on. */
const REPEAT_MS = 2_000

/**
 * Settles at the first signal, or when the channel to the parent closes. A later signal, apart from the repetition
 * of the first, ends the process at once: nothing acknowledged is lost by that.
 */
export const waitForStopSignal = (): Promise<undefined> =>
  new Promise((resolve) => {
    let firstAt: number | undefined
    const onSignal = (): void => {
      if (firstAt !== undefined && performance.now() - firstAt > REPEAT_MS) process.exit(130)
      firstAt ??= performance.now()
      resolve(undefined)
    }
    for (const signal of SIGNALS) process.on(signal, onSignal)
    if (process.connected) process.once('disconnect', onSignal)
  })
