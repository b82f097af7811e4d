/** Values of `loaded` attributes, each with a query of its own, by the name definitions use. */
import { skuInventory } from '../../inventory/sku-inventory.ts'
import type { Reading } from './read-includes.ts'
import type { OpenRecord } from './records.ts'

export type AttributeLoader = (
  record: OpenRecord,
  reading: Pick<Reading, 'run' | 'scope'>,
) => Promise<unknown>

const loaders: Readonly<Record<string, AttributeLoader>> = {
  sku_inventory: skuInventory,
}

/** Names that `loaded` attributes may give. */
export const attributeLoaderNames: readonly string[] = Object.keys(loaders)

/** Throws on an unknown name; `checkSources` finds those at load. */
export const attributeLoader = (name: string): AttributeLoader => {
  const loader = loaders[name]
  if (loader === undefined) throw new Error(`no attribute loader is named "${name}"`)
  return loader
}
