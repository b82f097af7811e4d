/** The areas of the shop. Adding a resource is one line in its area: docs/how-to/add-a-resource.md. */
import { activity } from './activity/area.ts'
import { deleteFlashNotifications } from './activity/delete-flash-notifications.ts'
import { bulk } from './bulk/area.ts'
import { runCleanup } from './bulk/cleanups/cleanup-step.ts'
import { runExport } from './bulk/exports/export-step.ts'
import { runImport } from './bulk/imports/import-step.ts'
import { cleanupStates, exportStates, importStates } from './bulk/job-states.ts'
import { resumeBulk } from './bulk/resume-bulk.ts'
import { bulkRowJobs } from './bulk/row-jobs.ts'
import { catalogue } from './catalogue/area.ts'
import { customers } from './customers/area.ts'
import { deleteOldResets } from './customers/delete-old-resets.ts'
import type { Area } from './engine/area.ts'
import { events } from './events/area.ts'
import { giftCards } from './gift-cards/area.ts'
import { giftCardStates } from './gift-cards/gift-card-states.ts'
import { inventory } from './inventory/area.ts'
import { expireReservations } from './inventory/reservation-expiry.ts'
import { stockReservationStates } from './inventory/stock-reservation-states.ts'
import { stockTransferStates } from './inventory/stock-transfer-states.ts'
import type { JobDefinition } from './jobs/define-job.ts'
import { pruneIdempotencyKeys } from './jobs/prune-idempotency-keys.ts'
import type { RowJobs } from './jobs/row-job.ts'
import { markets } from './markets/area.ts'
import { switchPriceLists } from './markets/switch-price-lists.ts'
import { orders } from './orders/area.ts'
import { fulfillmentStates } from './orders/fulfillment-states.ts'
import { deleteOldDrafts } from './orders/jobs/delete-old-drafts.ts'
import { finishPlacing, orderRowJobs } from './orders/jobs/finish-placing.ts'
import { orderStates } from './orders/order-states.ts'
import { payments } from './payments/area.ts'
import { findAttempts, recoverAttempt } from './payments/outside/recover.ts'
import { paymentStates } from './payments/payment-states.ts'
import { promotions } from './promotions/area.ts'
import { returns } from './returns/area.ts'
import { returnStates } from './returns/return-states.ts'
import { shipping } from './shipping/area.ts'
import { shipmentStates } from './shipping/shipment-states.ts'
import type { AnyStateMachine } from './states/define-state-machine.ts'
import { subscriptions } from './subscriptions/area.ts'
import { inStockStates } from './subscriptions/in-stock-states.ts'
import { alertRenewals } from './subscriptions/jobs/alert-renewals.ts'
import { findInStock, notifyInStock } from './subscriptions/jobs/notify-in-stock.ts'
import { copyRowJobs, runCopy } from './subscriptions/jobs/run-copy.ts'
import { runDue } from './subscriptions/jobs/run-due.ts'
import { orderCopyStates, recurringOrderCopyStates } from './subscriptions/order-factory-states.ts'
import { orderSubscriptionStates } from './subscriptions/order-subscription-states.ts'
import { taxes } from './taxes/area.ts'

export const areas: readonly Area[] = [
  catalogue,
  inventory,
  markets,
  customers,
  orders,
  payments,
  shipping,
  taxes,
  subscriptions,
  promotions,
  giftCards,
  returns,
  events,
  bulk,
  activity,
]

/** Every definition, area by area. */
export const resources = areas.flatMap((area) => area.resources)

/** The background jobs of core; compose.ts adds `pruneLogs`, which has settings. Adding one is one line here: docs/how-to/add-a-job.md. */
export const jobs: readonly JobDefinition[] = [
  runImport,
  runExport,
  runCleanup,
  resumeBulk,
  expireReservations,
  switchPriceLists,
  deleteOldDrafts,
  deleteOldResets,
  deleteFlashNotifications,
  finishPlacing,
  findAttempts,
  recoverAttempt,
  runDue,
  runCopy,
  alertRenewals,
  findInStock,
  notifyInStock,
  pruneIdempotencyKeys,
]

/** Type → the job that a write of its rows enqueues. */
export const rowJobs: RowJobs = { ...bulkRowJobs, ...orderRowJobs, ...copyRowJobs }

/** Type → its state machines. Adding one is one line here: docs/how-to/add-a-state.md. */
export const stateMachines: Readonly<Record<string, readonly AnyStateMachine[]>> = {
  orders: [orderStates, paymentStates, fulfillmentStates],
  imports: [importStates],
  exports: [exportStates],
  cleanups: [cleanupStates],
  gift_cards: [giftCardStates],
  returns: [returnStates],
  shipments: [shipmentStates],
  stock_reservations: [stockReservationStates],
  stock_transfers: [stockTransferStates],
  order_subscriptions: [orderSubscriptionStates],
  order_copies: [orderCopyStates],
  recurring_order_copies: [recurringOrderCopyStates],
  in_stock_subscriptions: [inStockStates],
}
