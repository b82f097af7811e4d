/** What every payment gateway does: it moves an amount of one payment source, or says why not. */
import type { Row } from '@merx/jsonapi/attributes'

export interface GatewayRequest {
  readonly amountCents: number
  readonly currencyCode: string
  /** The row of the payment source. */
  readonly source: Row | undefined
  /** What the gateway called the authorization, or the capture, that it acts on. */
  readonly token?: string | null
}

export type GatewayResult =
  | { readonly isSuccess: true; readonly message: string; readonly token?: string }
  | {
      readonly isSuccess: false
      readonly message: string
      readonly code?: string
      readonly detail?: string
    }

export type MovementName = 'authorize' | 'capture' | 'void' | 'refund'

/** Called inside the transaction of the write. A gateway of the outside has no adapter: see outside/move-outside.ts. */
export type PaymentGateway = Readonly<
  Record<MovementName, (request: GatewayRequest) => Promise<GatewayResult>>
>
