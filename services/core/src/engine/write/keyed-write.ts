/** A write that must not happen twice, because it was sent with an Idempotency-Key (docs/adr/0096-idempotency-keys.md). */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { Opening } from '../database/database.ts'
import type { RunStatement } from '../database/run-statement.ts'
import { claimKey, releaseKey, tryKey } from '../sql/idempotency-keys.ts'
import type { RequestKey } from '../sql/idempotency-keys.ts'
import type { OutsideDeps } from './outside-calls.ts'

export interface KeyedWrite {
  readonly key: RequestKey
  /** Of the answer. */
  readonly status: number
  /** Renders the answer and stores it, in the transaction of the write. Throws AppError `idempotency_key_in_use`. */
  store(row: Row, run: RunStatement): Promise<void>
  /** The same after the statement of a row that stands alone, which has stored the row; only when the answer shows more. */
  storeMore(row: Row, run: RunStatement): Promise<void>
}

/** Where errors about keys point to. */
export const KEY_SOURCE = { header: 'Idempotency-Key' } as const

/** Whoever gets it looks for the stored answer first; there may be one by now. */
export const keyInUse = (): AppError => new AppError('idempotency_key_in_use', { source: KEY_SOURCE })

/** Begins a transaction as the only one that works on the key, if it was not used yet. */
export const openingOf = ({ key }: KeyedWrite): Opening => ({
  text: tryKey(key),
  check: (rows) => {
    const [row] = rows as readonly { readonly is_free?: unknown; readonly is_used?: unknown }[]
    if (row?.is_free !== true || row.is_used !== false) throw keyInUse()
  },
})

/**
 * Keeps the key while `act` calls the outside, where no transaction is open: others get AppError `idempotency_key_in_use` meanwhile.
 * `act` gets what to await before each call. A process that dies leaves the claim, which is over some seconds later.
 */
export const whileClaimed = async <T>(
  keyed: KeyedWrite | undefined,
  { run, log }: Pick<OutsideDeps, 'run' | 'log'>,
  act: (beforeCall: () => Promise<void>) => Promise<T>,
): Promise<T> => {
  let isClaimed = false
  const claim = async (): Promise<void> => {
    if (keyed === undefined) return
    const held = await run(claimKey(keyed.key))
    if (held.length === 0) throw keyInUse()
    isClaimed = true
  }
  try {
    return await act(claim)
  } finally {
    if (keyed !== undefined && isClaimed)
      await run(releaseKey(keyed.key)).catch((error: unknown) =>
        log.error({ err: error }, 'an idempotency key was not released; it is free some seconds later'),
      )
  }
}
