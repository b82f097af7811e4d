/** A caller who went away is no failure: the access log says that the request was aborted, and nothing else has to. */

const isPrematureClose = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'

/** Resolves also when the work ended because its caller is gone. What failed by itself is thrown, gone or not. */
export const unlessGone = async (signal: AbortSignal, work: Promise<void>): Promise<void> => {
  try {
    await work
  } catch (error) {
    const isGone = signal.aborted && (error === signal.reason || isPrematureClose(error))
    if (!isGone) throw error
  }
}
