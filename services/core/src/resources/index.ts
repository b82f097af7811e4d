/** The resources of core, in the order of the reference. Adding one is one line here: docs/how-to/add-a-resource.md. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { addresses } from './addresses.ts'
import { applications } from './applications.ts'
import { attachments } from './attachments.ts'
import { customerGroups } from './customer-groups.ts'
import { customers } from './customers.ts'
import { eventStores } from './event-stores.ts'
import { events } from './events.ts'
import { exports } from './exports.ts'
import { imports } from './imports.ts'
import { inventoryModels } from './inventory-models.ts'
import { inventoryStockLocations } from './inventory-stock-locations.ts'
import { lineItems } from './line-items.ts'
import { manualGateways } from './manual-gateways.ts'
import { markets } from './markets.ts'
import { merchants } from './merchants.ts'
import { orders } from './orders.ts'
import { organizations } from './organizations.ts'
import { paymentGateways } from './payment-gateways.ts'
import { paymentMethods } from './payment-methods.ts'
import { plannedTypes } from './planned-types.ts'
import { priceLists } from './price-lists.ts'
import { prices } from './prices.ts'
import { shippingCategories } from './shipping-categories.ts'
import { skus } from './skus.ts'
import { stockItems } from './stock-items.ts'
import { stockLocations } from './stock-locations.ts'
import { stores } from './stores.ts'
import { tags } from './tags.ts'
import { versions } from './versions.ts'

export const resources: readonly ResourceDefinition[] = [
  addresses,
  applications,
  attachments,
  customerGroups,
  customers,
  eventStores,
  events,
  exports,
  imports,
  inventoryModels,
  inventoryStockLocations,
  lineItems,
  manualGateways,
  markets,
  merchants,
  orders,
  organizations,
  paymentGateways,
  paymentMethods,
  priceLists,
  prices,
  shippingCategories,
  skus,
  stockItems,
  stockLocations,
  stores,
  tags,
  versions,
  ...plannedTypes,
]
