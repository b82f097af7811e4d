/** Shares one call among all callers and caches its result; a failure is not cached, so the next caller tries again. */
export const singleFlight = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined
  return () => {
    result ??= load().catch((error: unknown) => {
      result = undefined
      throw error
    })
    return result
  }
}
