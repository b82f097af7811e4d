/** The payment of one order while it is planned (payment-plan.ts). */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowWrite } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import type { GatewayRequest, MovementName } from './gateway.ts'
import type { Movement } from './ledger.ts'

export type PaymentStep = Pick<WorkflowStep, 'run' | 'registry' | 'scope' | 'now' | 'answers'>

export interface PaymentPlan {
  /** Why it is refused; then nothing else of the plan counts. */
  readonly violations: readonly WriteViolation[]
  /** Columns of the order: `payment_status` and `payment_updated_at`. Empty when nothing changes. */
  readonly set: Row
  /** Events of the order. */
  readonly topics: readonly string[]
  /** Rows of the ledger. */
  readonly writes: readonly RowWrite[]
  /** An outside gateway could not be asked, which is stored; nothing else of the plan counts. */
  readonly failure?: WriteViolation | undefined
}

/** What is planned so far. */
export interface Payment extends PaymentPlan {
  /** The row as it will be. */
  readonly order: Row
  readonly ledger: readonly Movement[]
  /** The rows as they are stored, with those that the request has planned before. */
  readonly stored: ReadonlyMap<number, Row>
  /** New rows, as far as the ledger does not know them. */
  readonly added: ReadonlyMap<number, Row>
  /** Movements of this plan that succeeded, and those that an outside gateway answers later. */
  readonly moved: number
  readonly waiting: number
  /** Attempts that nobody waits for any more: what the gateway answers to them is given back. */
  readonly givenUp: readonly number[]
  readonly step: PaymentStep
}

export interface MovementToMake {
  readonly name: MovementName
  readonly amountCents: number
  /** The authorization or capture that it acts on. */
  readonly origin?: Movement
  /** Number of the gateway; that of the origin when there is one. */
  readonly gateway?: number | null
  readonly source?: GatewayRequest['source']
  /** What a refusal points to. */
  readonly at: NonNullable<WriteViolation['at']>
}
