/** Ignores the error of work whose caller disconnected: the access log has the aborted request already. */

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
