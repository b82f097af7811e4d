import { ConfigError } from '@merx/config/config-error'

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
  if (error instanceof OperatorError) return renderRefusal(error.message, error.remedy)
  if (error instanceof ConfigError)
    return renderRefusal(
      error.violations.join('; '),
      'docs/reference/configuration.md lists what can be set.',
    )
  if (error instanceof Error)
    return `\nMerx stopped on a defect or an unknown problem:\n${error.stack ?? error.message}\n`
  return `\nMerx stopped: ${String(error)}\n`
}

const renderRefusal = (message: string, remedy: string): string =>
  `\nMerx cannot go on: ${message}\n  ${remedy}\n`
