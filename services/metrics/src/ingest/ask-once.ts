/** An answer is kept; a failure is not, or whoever tries again would be told of it for ever. */
export const askOnce = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let answer: Promise<T> | undefined
  return () => {
    answer ??= ask().catch((error: unknown) => {
      answer = undefined
      throw error
    })
    return answer
  }
}
