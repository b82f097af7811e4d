/** The money movements of one order, and what is left to capture, void and refund of them. Pure. */

export type TransactionType = 'authorizations' | 'captures' | 'voids' | 'refunds'

export interface Movement {
  readonly id: number
  readonly type: TransactionType
  readonly amount_cents: number
  readonly succeeded: boolean
  readonly reference_authorization_id: number | null
  readonly reference_capture_id: number | null
  /** Sums of what succeeded of those that refer to this one. */
  readonly capture_amount_cents: number
  readonly void_amount_cents: number
  readonly refund_amount_cents: number
}

export type NewMovement = Pick<Movement, 'id' | 'type' | 'amount_cents' | 'succeeded'> & {
  /** The authorization of a capture or void, the capture of a refund. */
  readonly origin?: number
}

export const captureBalance = (movement: Movement): number =>
  movement.type === 'authorizations' && movement.succeeded
    ? movement.amount_cents - movement.capture_amount_cents - movement.void_amount_cents
    : 0

/** `_void` is for an authorization of which nothing was captured; the rest of another one is voided when its order ends. */
export const voidBalance = (movement: Movement): number =>
  movement.capture_amount_cents === 0 ? captureBalance(movement) : 0

export const refundBalance = (movement: Movement): number =>
  movement.type === 'captures' && movement.succeeded
    ? movement.amount_cents - movement.refund_amount_cents
    : 0

const sumOf = (ledger: readonly Movement[], balance: (movement: Movement) => number): number =>
  ledger.reduce((sum, movement) => sum + balance(movement), 0)

/** Authorized, neither captured nor voided. */
export const openCents = (ledger: readonly Movement[]): number => sumOf(ledger, captureBalance)

/** Captured, whatever was refunded of it. */
export const capturedCents = (ledger: readonly Movement[]): number =>
  ledger.reduce(
    (sum, { type, succeeded, amount_cents }) => sum + (type === 'captures' && succeeded ? amount_cents : 0),
    0,
  )

/** Captured, and not refunded. */
export const receivedCents = (ledger: readonly Movement[]): number => sumOf(ledger, refundBalance)

const SUM_OF = {
  captures: 'capture_amount_cents',
  voids: 'void_amount_cents',
  refunds: 'refund_amount_cents',
} as const

export const originOf = ({
  type,
  reference_authorization_id,
  reference_capture_id,
}: Movement): number | null => (type === 'refunds' ? reference_capture_id : reference_authorization_id)

/** The origin of a movement that succeeds has its amount in its sum. */
const counted = (ledger: readonly Movement[], movement: Movement): readonly Movement[] => {
  if (!movement.succeeded || movement.type === 'authorizations') return ledger
  const sum = SUM_OF[movement.type]
  const origin = originOf(movement)
  return ledger.map((each) =>
    each.id === origin ? { ...each, [sum]: each[sum] + movement.amount_cents } : each,
  )
}

/** A movement that was open, such as one that a gateway answers later, succeeds. */
export const withSuccess = (ledger: readonly Movement[], movement: Movement): readonly Movement[] => {
  const done = { ...movement, succeeded: true }
  return counted(
    ledger.map((each) => (each.id === movement.id ? done : each)),
    done,
  )
}

export const withMovement = (
  ledger: readonly Movement[],
  { origin = null, ...movement }: Omit<NewMovement, 'origin'> & { readonly origin?: number | null },
): readonly Movement[] => {
  const added: Movement = {
    ...movement,
    reference_authorization_id: movement.type === 'refunds' ? null : origin,
    reference_capture_id: movement.type === 'refunds' ? origin : null,
    capture_amount_cents: 0,
    void_amount_cents: 0,
    refund_amount_cents: 0,
  }
  return [...counted(ledger, added), added]
}
