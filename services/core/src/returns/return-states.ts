/** The state machine of a return: asked for, agreed to, sent, taken back, paid back. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import { defineStateMachine } from '../states/define-state-machine.ts'

export interface ReturnSubject {
  readonly now: Date
  /** When it is requested: how many lines it has, and where it goes. */
  readonly linesCount?: number
  readonly stockLocation?: number | null
}

const hasLines = ({ linesCount = 0 }: ReturnSubject): readonly WriteViolation[] =>
  linesCount > 0
    ? []
    : [
        {
          at: { relationship: 'return_line_items' },
          error: 'blank',
          message: 'must have something to return',
        },
      ]

const hasPlace = ({ stockLocation = null }: ReturnSubject): readonly WriteViolation[] =>
  stockLocation === null
    ? [
        {
          at: { relationship: 'stock_location' },
          error: 'blank',
          message: "can't be blank: the inventory model of the order's market has no return location",
        },
      ]
    : []

const stamp =
  (column: string) =>
  ({ now }: ReturnSubject) => ({ set: { [column]: now } })

export const returnStates = defineStateMachine({
  column: 'status',
  initial: 'draft',
  states: ['draft', 'requested', 'approved', 'cancelled', 'shipped', 'rejected', 'received', 'refunded'],
  transitions: {
    request: {
      from: ['draft'],
      to: 'requested',
      trigger: '_request',
      guards: [hasLines, hasPlace],
      topic: 'returns.request',
    },
    approve: {
      from: ['requested'],
      to: 'approved',
      trigger: '_approve',
      only: 'integration',
      effects: [stamp('approved_at')],
      topic: 'returns.approve',
    },
    cancel: {
      from: ['requested'],
      to: 'cancelled',
      trigger: '_cancel',
      only: 'integration',
      effects: [stamp('cancelled_at')],
    },
    ship: {
      from: ['approved'],
      to: 'shipped',
      trigger: '_ship',
      only: 'integration',
      effects: [stamp('shipped_at')],
      topic: 'returns.ship',
    },
    reject: {
      from: ['shipped'],
      to: 'rejected',
      trigger: '_reject',
      only: 'integration',
      effects: [stamp('rejected_at')],
      topic: 'returns.reject',
    },
    receive: {
      from: ['shipped'],
      to: 'received',
      trigger: '_receive',
      only: 'integration',
      effects: [stamp('received_at')],
      topic: 'returns.receive',
    },
    /** Taken when the money has moved, which a gateway may say later (reactions.ts). */
    refund: {
      from: ['received'],
      to: 'refunded',
      trigger: '_refund',
      only: 'integration',
      effects: [stamp('refunded_at')],
    },
  },
})

export type ReturnStatus = (typeof returnStates.states)[number]

/** What it has of a line item can be returned by another return. */
export const GIVEN_UP: readonly string[] = ['cancelled', 'rejected'] satisfies readonly ReturnStatus[]
/** Its goods are there. */
export const TAKEN_BACK: readonly string[] = ['received', 'refunded'] satisfies readonly ReturnStatus[]
