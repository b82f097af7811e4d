/** Relationships that no column stores: how target rows belong to an owner row, by the name definitions use. */
import type { Build } from './relations.ts'

export type VirtualSource = (
  aliases: { readonly owner: string; readonly target: string },
  build: Build,
) => readonly string[]

/** Rule 5: what an order may be paid with is the methods of its store, or those of its market when the store has none. */
const orderAvailablePaymentMethods: VirtualSource = ({ owner, target }, { params }) => [
  `${target}.disabled_at IS NULL`,
  `CASE WHEN EXISTS (
      SELECT 1 FROM payment_methods AS of_store
      WHERE of_store.environment_id = ${params.environment} AND of_store.store_id = ${owner}.store_id
        AND of_store.disabled_at IS NULL)
    THEN ${target}.store_id = ${owner}.store_id
    ELSE ${target}.store_id IS NULL AND (${target}.market_id = ${owner}.market_id
      OR (${target}.market_id IS NULL AND ${target}.currency_code = ${owner}.currency_code)) END`,
]

const sources: Readonly<Record<string, VirtualSource>> = {
  order_available_payment_methods: orderAvailablePaymentMethods,
}

/** Names that relationships may give as `virtual`. */
export const virtualSourceNames: readonly string[] = Object.keys(sources)

/** Throws on an unknown name; `checkSources` finds those at load. */
export const virtualSource = (name: string): VirtualSource => {
  const source = sources[name]
  if (source === undefined) throw new Error(`no row source is named "${name}"`)
  return source
}
