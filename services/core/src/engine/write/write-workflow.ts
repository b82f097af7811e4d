/** The type of a workflow, which an area adds to the writes of a type: locks, checks in the database, writes of other rows. */
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import type { RequestScope } from '../../access/request-scope.ts'
import type { RunStatement } from '../database/run-statement.ts'
import type { Registry } from '../registry.ts'
import type { OutsideAnswers } from './outside-calls.ts'
import type { RowWrite } from './persist.ts'

export interface WorkflowStep {
  /** In the transaction of the write. */
  readonly run: RunStatement
  readonly registry: Registry
  readonly scope: RequestScope
  readonly now: Date
  /** Application and owner behind the write. */
  readonly actor: Row
  /** The row comes from an import: it is stored as it was elsewhere, whatever is sold and in stock here and now. */
  readonly isImport: boolean
  /** The row that the workflow locked besides the written one. */
  readonly locked?: Row | undefined
  /** What the outside has answered to this write; absent where nothing can be called. */
  readonly answers?: OutsideAnswers | undefined
}

/** A row as it was read under lock and as it will be. */
export interface PlannedRow {
  readonly definition: ResourceDefinition
  /** A new row has its number already. */
  readonly number: number
  /** Undefined when the row is new. */
  readonly before: Row | undefined
  /** Undefined when the row is deleted. A new row has only the columns that are set. */
  readonly after: Row | undefined
}

export interface Completion {
  /** Columns to write besides those that were validated. */
  readonly set?: Row
  readonly violations?: readonly WriteViolation[]
}

export interface Consequences {
  /** Columns to write besides those that were validated. */
  readonly set?: Row
  /** Topics of the events that the row's own write emits, in the order in which they happened. */
  readonly topics?: readonly string[]
  /**
   * Other rows that are written and logged before the row itself: an order whose parts are written afterwards is not touched again
   * by their triggers, so that it is written once.
   */
  readonly earlier?: readonly RowWrite[]
  /** Other rows, each with its own topics, in the order in which they are written and logged after the row itself. */
  readonly writes?: readonly RowWrite[]
}

/** An existing row that is changed in place of creating one, and the columns that change. */
export interface ExistingRow {
  readonly before: Row
  readonly columns: Row
}

export interface WriteWorkflow {
  /** Members that the workflow is about: it has nothing to do with a write that sends none of them. All writes by default. */
  readonly onlyIfSent?: readonly string[]
  /** Locks a row that the write changes besides its own, before anything is read; it becomes `step.locked`. */
  readonly lockForCreate?: (request: WriteRequest, step: WorkflowStep) => Promise<Row | undefined>
  readonly lockForChange?: (number: number, step: WorkflowStep) => Promise<Row | undefined>
  readonly findExisting?: (
    columns: Row,
    request: WriteRequest,
    step: WorkflowStep,
  ) => Promise<ExistingRow | undefined>
  /** Members that `complete` works with: it does not run while one of them has a violation. */
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
  /** What follows from a valid write; nothing is written yet. Throws AppErrors when it must not follow. */
  readonly consequences?: (
    row: PlannedRow,
    request: WriteRequest | undefined,
    step: WorkflowStep,
  ) => Promise<Consequences>
}

/** What writes of many types change besides the row itself, such as its tags. */
export interface WriteExtension {
  /** The event of types that list it, when the extension changed something. */
  readonly event: 'tagged'
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
