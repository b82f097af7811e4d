/** A failure the person at the terminal can act on: shown as text and remedy, without a stack. */
export class OperatorError extends Error {
  readonly remedy: string

  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OperatorError'
    this.remedy = remedy
  }
}
