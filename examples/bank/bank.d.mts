/** Types of bank.mjs, for tests. */
export type Fault =
  | 'none'
  | 'decline'
  | 'async'
  | 'hang'
  | 'late'
  | 'close'
  | 'drop'
  | 'error'
  | 'nonsense'
  | 'redirect'
  | 'amount'
  | 'token'
  | 'huge'

export interface BookEntry {
  readonly key: string
  readonly name: 'authorize' | 'capture' | 'void' | 'refund'
  readonly token: string
  readonly of?: string
  readonly amount_cents: number
}

export interface Asked {
  readonly path: string
  readonly key: string
  readonly document: {
    readonly data: {
      readonly type: string
      readonly id: string
      readonly links: { readonly self: string }
      readonly attributes: Readonly<Record<string, unknown>>
      readonly meta: unknown
    }
    readonly included?: readonly { readonly type: string; readonly id: string }[]
  }
  readonly signed: boolean
}

export interface Bank {
  readonly url: string
  readonly book: readonly BookEntry[]
  readonly asked: readonly Asked[]
  readonly actions: ReadonlyMap<string, unknown>
  complete(action: {
    readonly action_id: string
    readonly callback_url: string
    readonly fault?: Fault
    readonly times?: number
  }): Promise<{ readonly body: string; readonly statuses: readonly number[] }>
  setSecret(secret: string): void
  setFault(
    fault: Fault | ((question: { path: string; key: string; count: number }) => Fault | Promise<Fault>),
  ): void
  close(): Promise<void>
}

export const FAULTS: readonly Fault[]
export const sign: (body: string, secret: string) => string
export const openBank: (options: { secret: string; port?: number; file?: string }) => Promise<Bank>
