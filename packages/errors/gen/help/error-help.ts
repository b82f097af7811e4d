/** The prose of each error: when it happens and what to do. A code without it does not compile. */
import type { AppErrorOptions } from '../../src/app-error.ts'
import type { ErrorCode } from '../../src/catalogue.ts'
import { jsonApiHelp } from './json-api-help.ts'
import { metricsHelp } from './metrics-help.ts'
import { oauthHelp } from './oauth-help.ts'

export interface ErrorHelp {
  readonly when: string
  readonly todo: string
  /** What the example answer carries; default: nothing but what the catalogue says. */
  readonly example?: AppErrorOptions
}

export const errorHelp: Readonly<Record<ErrorCode, ErrorHelp>> = {
  ...jsonApiHelp,
  ...oauthHelp,
  ...metricsHelp,
}
