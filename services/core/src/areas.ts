/** The resources of core, in the order of the reference. Adding one is one line here: docs/how-to/add-a-resource.md. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { attachments } from './activity/attachments.ts'
import { eventStores } from './activity/event-stores.ts'
import { tags } from './activity/tags.ts'
import { versions } from './activity/versions.ts'
import { exports } from './bulk/exports.ts'
import { imports } from './bulk/imports.ts'
import { priceLists } from './catalogue/price-lists.ts'
import { prices } from './catalogue/prices.ts'
import { skus } from './catalogue/skus.ts'
import { addresses } from './customers/addresses.ts'
import { customerGroups } from './customers/customer-groups.ts'
import { customers } from './customers/customers.ts'
import { plannedTypes } from './definitions/placeholder-types.ts'
import { events } from './events/events.ts'
import { inventoryModels } from './inventory/inventory-models.ts'
import { inventoryStockLocations } from './inventory/inventory-stock-locations.ts'
import { stockItems } from './inventory/stock-items.ts'
import { stockLocations } from './inventory/stock-locations.ts'
import { applications } from './markets/applications.ts'
import { markets } from './markets/markets.ts'
import { merchants } from './markets/merchants.ts'
import { organizations } from './markets/organizations.ts'
import { stores } from './markets/stores.ts'
import { lineItems } from './orders/line-items.ts'
import { orders } from './orders/orders.ts'
import { manualGateways } from './payments/manual-gateways.ts'
import { paymentGateways } from './payments/payment-gateways.ts'
import { paymentMethods } from './payments/payment-methods.ts'
import { shippingCategories } from './shipping/shipping-categories.ts'

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
