/** What surrounds the write of one row, in its transaction: locks before, what only the database can tell, what follows. */
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteFault } from '@merx/jsonapi/rules'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import type { RequestScope } from '../../access/request-scope.ts'
import type { RunStatement } from '../database/run-statement.ts'
import type { Registry } from '../registry.ts'

export interface WorkflowStep {
  /** In the transaction of the write. */
  readonly run: RunStatement
  readonly registry: Registry
  readonly scope: RequestScope
  readonly now: Date
  /** The row comes from an import: it is stored as it was elsewhere, whatever is sold and in stock here and now. */
  readonly isImport: boolean
}

/** A row before and after a write, for the change log. */
export interface RowChange {
  readonly definition: ResourceDefinition
  readonly number: number
  /** Undefined of a new row. */
  readonly before: Row | undefined
  /** Undefined of a deleted row. */
  readonly after: Row | undefined
}

export interface Completion {
  /** Columns to write besides those that were prepared. */
  readonly set?: Row
  readonly faults?: readonly WriteFault[]
  /** Other rows that were written for it. */
  readonly changes?: readonly RowChange[]
}

/** A row that is added to instead of a new one being made, and what of it changes. */
export interface ExistingRow {
  readonly before: Row
  readonly columns: Row
}

export interface WriteWorkflow {
  /** Locks what the write changes besides its own row, before anything is read. */
  readonly lockForCreate?: (request: WriteRequest, step: WorkflowStep) => Promise<void>
  readonly lockForChange?: (number: number, step: WorkflowStep) => Promise<void>
  readonly findExisting?: (
    columns: Row,
    request: WriteRequest,
    step: WorkflowStep,
  ) => Promise<ExistingRow | undefined>
  /** What `complete` works with: it is not asked while one of these has a fault. */
  readonly completesFrom?: readonly string[]
  /** `after` is the row as it would be. */
  readonly complete?: (
    after: Row,
    before: Row | undefined,
    request: WriteRequest,
    step: WorkflowStep,
  ) => Promise<Completion>
  /** Throws AppError when the row must stay. */
  readonly refuseDelete?: (row: Row, step: WorkflowStep) => Promise<void>
  /** Brings other rows, and the row itself, in line with what was written. */
  readonly settle?: (
    change: RowChange,
    request: WriteRequest | undefined,
    step: WorkflowStep,
  ) => Promise<readonly RowChange[]>
}

/** What writes of many types change besides the row itself, such as its tags. */
export interface WriteExtension {
  /** The event that the write emits when the extension changed something. */
  readonly event: string
  readonly isSent: (request: WriteRequest) => boolean
  /** What the record has now, for comparison; undefined when the write does not concern it. */
  readonly read: (change: ExtensionWrite) => Promise<string | undefined>
  /** Called after the row and its linked sets are stored. Throws AppErrors. */
  readonly write: (change: ExtensionWrite) => Promise<void>
}

export interface ExtensionWrite {
  readonly definition: ResourceDefinition
  readonly number: number
  readonly request: WriteRequest
  readonly step: WorkflowStep
}
