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

/** An adapter is called inside the transaction of the write, so one that calls the outside is no adapter of this kind. */
export type PaymentGateway = Readonly<
  Record<MovementName, (request: GatewayRequest) => Promise<GatewayResult>>
>
