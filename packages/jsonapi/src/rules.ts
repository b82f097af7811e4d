/** Types of what a definition declares about writes: rules that check and complete them, actions, and delete rules. */
import type { Row } from './attributes.ts'

export type WriteOperation = 'create' | 'update'

/** One reason why a write is refused with 422. `error` is the machine key, `message` the title of the error. */
export interface WriteViolation {
  /** `attributes/<name>`, `relationships/<name>`, or undefined for the resource as a whole. */
  readonly at?: { readonly attribute: string } | { readonly relationship: string }
  readonly error: string
  readonly message: string
  readonly value?: unknown
  readonly count?: number
}

/** Rows of the writer's environment, read in the transaction of the write: these columns of them, or else all. */
export interface RowFinder {
  /** The row with this number, or undefined. */
  byNumber(type: string, number: unknown, columns?: readonly string[]): Promise<Row | undefined>
  /** The only row with this value in one of the type's stored columns, or undefined. */
  byColumn(
    type: string,
    column: string,
    value: string | number,
    columns?: readonly string[],
  ): Promise<Row | undefined>
  /** The only row with all these column values, of which null means an empty column. */
  byColumns(type: string, where: Readonly<Record<string, unknown>>): Promise<Row | undefined>
  /** How many rows have all these column values. */
  count(type: string, where: Readonly<Record<string, unknown>>): Promise<number>
}

/** Who writes, as far as a rule may care; row numbers as they are now. */
export interface Writer {
  readonly isSalesChannel: boolean
  /** Undefined when no market narrows the writer; empty when every market in scope is disabled or gone. */
  readonly markets?: readonly number[] | undefined
  readonly store?: number | undefined
  readonly customer?: number | undefined
  /** The row comes from an import: it is stored as it was elsewhere, and starts no workflow. */
  readonly isImport?: boolean
}

export interface RuleContext {
  readonly writer: Writer
  readonly operation: WriteOperation
  /** The row before the write; undefined at creation. */
  readonly before: Row | undefined
  /** The row as it would be after it. */
  readonly after: Row
  /** Names of attributes and relationships that the request sent. */
  readonly sent: ReadonlySet<string>
  readonly now: Date
  readonly find: RowFinder
  /** Networks in CIDR form that may be called although they are not public. Default: none. */
  readonly allowedNetworks?: readonly string[] | undefined
  /** Why resources of the type cannot include the path, or undefined. */
  readonly includeProblem: (path: string, type: string) => string | undefined
}

export interface RuleOutcome {
  readonly violations?: readonly WriteViolation[]
  /** Columns to store besides those sent, for example a currency copied from a price list. */
  readonly set?: Readonly<Record<string, unknown>>
  /** Topics of the events that the write emits. */
  readonly topics?: readonly string[]
}

/** Checks a write, and may complete it. Rules run in order, each sees what the ones before have set. */
export type Rule = (context: RuleContext) => RuleOutcome | Promise<RuleOutcome>

export interface ActionContext {
  readonly now: Date
  /** What the trigger carried: `true`, a text or a number. */
  readonly value: unknown
}

/** The columns that a trigger changes, from the row before it. */
export type Action = (row: Row, context: ActionContext) => Readonly<Record<string, unknown>>

export interface DeleteRule {
  /** Relationships of the definition that must be empty; else 423 naming the first that is not. */
  readonly refuseWhile: readonly string[]
  /** Why the row as it is now cannot be deleted (423), or undefined. */
  readonly reasonAgainst?: (row: Row) => string | undefined
}

/** Refuses a delete with 423 while one of these to-many relationships has rows. */
export const refuseWhileReferencedBy = (...relationships: readonly string[]): DeleteRule => ({
  refuseWhile: relationships,
})

/** Refuses a delete with 423 while there is a reason against it; the reason is the detail of the error. */
export const refuseWhile = (reasonAgainst: (row: Row) => string | undefined): DeleteRule => ({
  refuseWhile: [],
  reasonAgainst,
})

/** The two actions of everything that can be switched off; the row keeps when it was. */
export const switchable = {
  disable: (row: Row, { now }: ActionContext) => ({ disabled_at: row['disabled_at'] ?? now }),
  enable: () => ({ disabled_at: null }),
} as const satisfies Record<string, Action>
