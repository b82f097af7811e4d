/** Renders the error that ends a command: what to do, or the stack of a defect. */
import { ConfigError } from '@merx/config/config-error'
import { explainEnvironment } from './environment-error.ts'
import { OperatorError } from './operator-error.ts'

export const renderFailure = (error: unknown): string => {
  if (error instanceof OperatorError) return renderRefusal(error)
  if (error instanceof ConfigError)
    return renderRefusal({
      message: error.violations.join('; '),
      remedy: 'docs/reference/configuration.md lists what can be set.',
    })
  const explained = explainEnvironment(error)
  if (explained !== undefined) return renderRefusal(explained)
  if (error instanceof Error)
    return `\nMerx stopped on a defect or an unknown problem:\n${error.stack ?? error.message}\n`
  return `\nMerx stopped: ${String(error)}\n`
}

const renderRefusal = ({ message, remedy }: Pick<OperatorError, 'message' | 'remedy'>): string =>
  `\nMerx cannot go on: ${message}\n  ${remedy}\n`
