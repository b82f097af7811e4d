/**
 * What was acknowledged, to be compared afterwards. A write without an answer may or may not have happened; one that was
 * answered must have.
 */

export interface KnownLine {
  readonly id: string
  readonly amountCents: number
}

export interface KnownOrder {
  /** Lines whose 201 was read. */
  readonly lines: KnownLine[]
  /** Amounts of lines whose answer was an error or never came. */
  readonly undecidedCents: number[]
}

export interface KnownReference {
  /** Highest number whose 200 was read. */
  acknowledged: number
  /** Highest number that was sent. */
  sent: number
}

export interface Ledger {
  /** Orders made by the load, by id. */
  readonly orders: Map<string, KnownOrder>
  /** References of orders of the demo, by id. */
  readonly references: Map<string, KnownReference>
  /** Writes that were acknowledged. */
  acknowledged: number
}

export const createLedger = (): Ledger => ({ orders: new Map(), references: new Map(), acknowledged: 0 })
