/** When an order's money can be moved by a trigger: the commands are commands/capture.ts and commands/refund.ts. */
import { paymentStates } from '../payments/payment-states.ts'
import type { Needs } from '../states/define-state-machine.ts'
import type { OrderStatus } from './order-states.ts'

/** Before it is approved, `_cancel` gives the money back. */
export const MONEY_MOVES_IN: OrderStatus = 'approved'

const { pay, refund } = paymentStates.transitions

export const moneyTriggers: Readonly<Record<'_capture' | '_refund', Needs>> = {
  _capture: { status: [MONEY_MOVES_IN], payment_status: pay.from },
  _refund: { status: [MONEY_MOVES_IN], payment_status: refund.from },
}
