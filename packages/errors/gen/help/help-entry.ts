/** What the page of an error says besides the text of the catalogue. */
import type { AppErrorOptions } from '../../src/app-error.ts'

export interface ErrorHelp {
  readonly when: string
  readonly todo: string
  /** What the example answer carries; default: nothing but what the catalogue says. */
  readonly example?: AppErrorOptions
}
