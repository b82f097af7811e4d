import type { Area, VirtualRelationship } from '../engine/area.ts'
import { availableShippingMethods } from './available-methods.ts'
import { carrierAccounts, carrierAccountsOfShipment, carrierAccountVisibility } from './carrier-accounts.ts'
import { deliveryLeadTimes } from './delivery-lead-times.ts'
import { leadTimeOfMethod, leadTimeOfShipment } from './lead-times.ts'
import { packages } from './packages.ts'
import { parcelLineItems } from './parcel-line-items.ts'
import { parcelWorkflow, TRACKING_STATUSES } from './parcel-workflow.ts'
import { parcels } from './parcels.ts'
import { parcelsOfPickup, pickupCommands, pickupOfShipment, pickups } from './pickups.ts'
import { shipmentCommands } from './shipment-commands.ts'
import { shipments } from './shipments.ts'
import { shippingCategories } from './shipping-categories.ts'
import { shippingMethodTiers } from './shipping-method-tiers.ts'
import { shippingMethods } from './shipping-methods.ts'
import { shippingWeightTiers } from './shipping-weight-tiers.ts'
import { shippingZones } from './shipping-zones.ts'
import {
  leadTimeVisibility,
  ofShipmentVisibility,
  ofShippingMethodVisibility,
  packageVisibility,
  parcelLineItemVisibility,
  shipmentVisibility,
  shippingMethodVisibility,
} from './visibility.ts'

const addressOfStockLocation: VirtualRelationship = ({ owner, target }, { params }) => [
  `${target}.id = (SELECT origin.address_id FROM stock_locations AS origin
    WHERE origin.environment_id = ${params.environment} AND origin.id = ${owner}.stock_location_id)`,
]

const lineItemsOfShipment: VirtualRelationship = ({ owner, target }, { params }) => [
  `EXISTS (SELECT 1 FROM stock_line_items AS taken
    WHERE taken.environment_id = ${params.environment} AND taken.shipment_id = ${owner}.id
      AND taken.line_item_id = ${target}.id)`,
]

/** The default is that of the order's market. */
const orderDefaultShippingMethod: VirtualRelationship = ({ owner, target }, { params }) => [
  `${target}.id = (SELECT its_market.default_shipping_method_id FROM markets AS its_market
    WHERE its_market.environment_id = ${params.environment} AND its_market.id = ${owner}.market_id)`,
  `${target}.currency_code = ${owner}.currency_code`,
]

export const shipping: Area = {
  resources: [
    shippingCategories,
    shippingMethods,
    shippingMethodTiers,
    shippingWeightTiers,
    shippingZones,
    deliveryLeadTimes,
    shipments,
    packages,
    parcels,
    parcelLineItems,
    carrierAccounts,
    ...pickups,
  ],
  workflows: { parcels: parcelWorkflow },
  commands: { shipments: shipmentCommands, ...pickupCommands },
  topics: {
    shipments: [
      'upcoming',
      'on_hold',
      'picking',
      'packing',
      'ready_to_ship',
      'ship',
      'deliver',
      'cancel',
      'tagged',
    ],
    shipping_methods: ['tagged'],
    shipping_weight_tiers: ['create', 'destroy'],
    parcels: ['create', ...TRACKING_STATUSES, 'destroy'],
  },
  visibility: {
    shipments: shipmentVisibility,
    parcels: ofShipmentVisibility,
    carrier_accounts: carrierAccountVisibility,
    pickups: ofShipmentVisibility,
    easypost_pickups: ofShipmentVisibility,
    parcel_line_items: parcelLineItemVisibility,
    shipping_methods: shippingMethodVisibility,
    shipping_method_tiers: ofShippingMethodVisibility,
    shipping_weight_tiers: ofShippingMethodVisibility,
    delivery_lead_times: leadTimeVisibility,
    packages: packageVisibility,
  },
  virtualRelationships: {
    address_of_stock_location: addressOfStockLocation,
    line_items_of_shipment: lineItemsOfShipment,
    order_default_shipping_method: orderDefaultShippingMethod,
    lead_time_of_shipment: leadTimeOfShipment,
    carrier_accounts_of_shipment: carrierAccountsOfShipment,
    parcels_of_pickup: parcelsOfPickup,
    pickup_of_shipment: pickupOfShipment,
  },
  computedRelationships: {
    available_shipping_methods: availableShippingMethods,
    lead_time_of_method: leadTimeOfMethod,
  },
}
