/** Types of the context and the results of one step of an import. */
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { RequestScope } from '../../access/request-scope.ts'
import type { RunStatement } from '../../engine/database/run-statement.ts'
import type { Registry } from '../../engine/registry.ts'
import type { Messages } from '../../engine/write/error-messages.ts'
import type { Importable } from './importable.ts'

export interface ImportTarget {
  readonly definition: ResourceDefinition
  readonly importable: Importable
  readonly parentId: string | null
  readonly isText: boolean
  readonly registry: Registry
  readonly scope: RequestScope
  readonly now: Date
  readonly run: RunStatement
  /** Who asked for the import. */
  readonly who: Row
}

/** What became of one item: stored when there are no errors. */
export interface ItemOutcome {
  readonly errors: Messages
  readonly warnings: Messages
}

export const hasErrors = ({ errors }: ItemOutcome): boolean => Object.keys(errors).length > 0
