/** A failure the person at the terminal can act on: shown as text and remedy, without a stack. */
export class OperatorError extends Error {
  readonly remedy: string

  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OperatorError'
    this.remedy = remedy
  }
}

/** What to print for anything that ended a command. */
export const renderFailure = (error: unknown): string => {
  if (error instanceof OperatorError) return `\nMerx cannot go on: ${error.message}\n  ${error.remedy}\n`
  if (error instanceof Error)
    return `\nMerx stopped on a defect or an unknown problem:\n${error.stack ?? error.message}\n`
  return `\nMerx stopped: ${String(error)}\n`
}
