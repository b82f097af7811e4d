import { ofToken } from '../access/of-token.ts'
import type { Area, VirtualRelationship } from '../engine/area.ts'
import { inventoryIndex } from './indexed-types.ts'
import { inventoryModels } from './inventory-models.ts'
import { inventoryReturnLocations } from './inventory-return-locations.ts'
import { inventoryStockLocations } from './inventory-stock-locations.ts'
import { reservedStocks } from './reserved-stocks.ts'
import { shipmentLineItems } from './shipment-line-items.ts'
import { skuInventory } from './sku-inventory.ts'
import { validateStockItem } from './stock-item-workflow.ts'
import { stockItems } from './stock-items.ts'
import { stockLineItemCommands, stockLineItemWorkflow } from './stock-line-item-workflow.ts'
import { stockLineItems } from './stock-line-items.ts'
import { stockLocations } from './stock-locations.ts'
import { keepReservation, stockReservationWorkflow } from './stock-reservation-workflow.ts'
import { stockReservations } from './stock-reservations.ts'
import { stockTransferCommands, stockTransferWorkflow } from './stock-transfer-workflow.ts'
import { stockTransfers } from './stock-transfers.ts'
import {
  reservedStockVisibility,
  stockItemVisibility,
  stockLineItemVisibility,
  stockLocationVisibility,
  stockReservationVisibility,
  stockTransferVisibility,
} from './visibility.ts'

/** The stock locations that count for the token's markets; the owner row does not matter. */
const stockLocationsOfToken: VirtualRelationship = ({ target }, { params, scope }) => {
  const numbers = ofToken(scope).jwt_stock_locations
  return [`${target}.id = ANY(${params.add(numbers, 'bigint[]')})`]
}

const ofShipmentsOfOrder: VirtualRelationship = ({ owner, target }, { params }) => [
  `EXISTS (SELECT 1 FROM shipments AS its_shipment
    WHERE its_shipment.environment_id = ${params.environment} AND its_shipment.id = ${target}.shipment_id
      AND its_shipment.order_id = ${owner}.id)`,
]

const leadTimesOfSku: VirtualRelationship = ({ owner, target }, { params }) => [
  `EXISTS (SELECT 1 FROM stock_items AS its_item
    WHERE its_item.environment_id = ${params.environment} AND its_item.sku_id = ${owner}.id
      AND its_item.stock_location_id = ${target}.stock_location_id)`,
]

export const inventory: Area = {
  resources: [
    stockLocations,
    stockItems,
    inventoryModels,
    inventoryStockLocations,
    inventoryReturnLocations,
    stockLineItems,
    shipmentLineItems,
    stockTransfers,
    stockReservations,
    reservedStocks,
  ],
  workflows: {
    stock_reservations: stockReservationWorkflow,
    stock_transfers: stockTransferWorkflow,
    stock_line_items: stockLineItemWorkflow,
  },
  commands: {
    stock_items: [validateStockItem],
    stock_reservations: [keepReservation],
    stock_transfers: stockTransferCommands,
    stock_line_items: stockLineItemCommands,
  },
  topics: {
    stock_transfers: [
      'create',
      'upcoming',
      'on_hold',
      'picking',
      'in_transit',
      'complete',
      'cancel',
      'destroy',
    ],
  },
  visibility: {
    stock_items: stockItemVisibility,
    stock_locations: stockLocationVisibility,
    reserved_stocks: reservedStockVisibility,
    stock_reservations: stockReservationVisibility,
    stock_line_items: stockLineItemVisibility,
    shipment_line_items: stockLineItemVisibility,
    stock_transfers: stockTransferVisibility,
  },
  indexed: inventoryIndex,
  virtualRelationships: {
    stock_locations_of_token: stockLocationsOfToken,
    reserved_stock_of_item: ({ owner, target }) => [`${target}.stock_item_id = ${owner}.id`],
    reservation_of_stock_line_item: ({ owner, target }) => [`${target}.stock_line_item_id = ${owner}.id`],
    reservation_of_stock_transfer: ({ owner, target }) => [`${target}.stock_transfer_id = ${owner}.id`],
    transfers_of_location: ({ owner, target }) => [
      `${owner}.id IN (${target}.origin_stock_location_id, ${target}.destination_stock_location_id)`,
    ],
    of_shipments_of_order: ofShipmentsOfOrder,
    lead_times_of_sku: leadTimesOfSku,
  },
  attributeLoaders: { sku_inventory: skuInventory },
  cacheable: ['stock_items', 'stock_locations'],
}
