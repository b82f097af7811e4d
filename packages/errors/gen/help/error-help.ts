/** The prose of each error: when it happens and what to do. A code without it does not compile. */
import type { ErrorCode } from '../../src/catalogue.ts'
import type { ErrorHelp } from './help-entry.ts'
import { jsonApiHelp } from './json-api-help.ts'
import { metricsHelp } from './metrics-help.ts'
import { oauthHelp } from './oauth-help.ts'

export const errorHelp: Readonly<Record<ErrorCode, ErrorHelp>> = {
  ...jsonApiHelp,
  ...oauthHelp,
  ...metricsHelp,
}
