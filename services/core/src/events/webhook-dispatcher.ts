/**
 * Delivers webhooks, in one process at a time (docs/adr/0091-webhooks.md): committed events become rows of
 * webhook_deliveries; due rows are taken into lanes, one for each receiver, which call it and have the results written.
 */
import { randomUUID } from 'node:crypto'
import { pause } from '@merx/telemetry/pause'
import { takeLease } from '../engine/database/lease.ts'
import { runOn } from '../engine/database/run-statement.ts'
import { isStoreUnavailable } from '../engine/database/store-errors.ts'
import {
  hasWebhooks,
  makeDeliveries,
  makeTriggeredDeliveries,
  releaseHeld,
  skipEvents,
} from './make-deliveries.ts'
import { LANE_TAKE_MAX } from './take-deliveries.ts'
import { createWebhookLanes } from './webhook-lanes.ts'
import type { LaneDeps } from './webhook-lanes.ts'

export interface WebhookDispatcher {
  start(): void
  /** Delivers what is due, and resolves when nothing is; for tests and scripts. */
  runUntilIdle(): Promise<void>
  /** Resolves when the calls in flight have ended. */
  close(): Promise<void>
}

/** Between two looks at the events, while there are webhooks, and while there are none. */
const LOOK_MS = 50
const LOOK_FOR_WEBHOOKS_MS = 1_000
/** Between two looks for circuits that were reset. */
const RELEASE_MS = 1_000
/** Without a renewal another process takes over after this. */
const LEASE_MS = 5_000
const AFTER_FAILURE_MS = 1_000

/** @example const webhooks = createWebhookDispatcher({ database, registry, secretBox, outside, clock, log, onAttempt }) */
export const createWebhookDispatcher = (deps: LaneDeps): WebhookDispatcher => {
  const { database, log } = deps
  const run = runOn(database.pool)
  const holder = randomUUID()
  const closing = new AbortController()
  const lanes = createWebhookLanes(deps)
  let running: Promise<void> | undefined
  let leaseEndsAt = -Infinity
  let releasedAt = -Infinity

  const lease = (ttlMs: number) => takeLease(database, { store: 'webhooks', holder, ttlMs })

  /** Renewed at half of its time. */
  const holdsLease = async (): Promise<boolean> => {
    if (performance.now() < leaseEndsAt - LEASE_MS / 2) return true
    const askedAt = performance.now()
    leaseEndsAt = (await lease(LEASE_MS)).is_held ? askedAt + LEASE_MS : -Infinity
    return leaseEndsAt > askedAt
  }

  /** @returns how long to wait for the next one */
  const step = async (): Promise<number> => {
    if (!(await holdsLease())) return LEASE_MS / 2
    if (!(await hasWebhooks(database))) {
      await skipEvents(database)
      return LOOK_FOR_WEBHOOKS_MS
    }
    const { hasMore } = await makeDeliveries(database)
    await makeTriggeredDeliveries(run)
    if (performance.now() - releasedAt > RELEASE_MS) {
      releasedAt = performance.now()
      await releaseHeld(run)
    }
    return (await lanes.takeDue()) >= LANE_TAKE_MAX || hasMore ? 0 : LOOK_MS
  }

  const loop = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      let waitMs = AFTER_FAILURE_MS
      try {
        waitMs = await step()
      } catch (error) {
        if (isStoreUnavailable(error)) log.warn({ err: error }, 'webhooks wait for the database')
        else log.error({ err: error }, 'delivering webhooks failed; it will be retried')
      }
      await pause(waitMs, closing.signal)
    }
  }

  return {
    start: () => {
      running ??= loop()
    },
    runUntilIdle: async () => {
      for (let isBusy = true; isBusy;) {
        const { hasMore } = await makeDeliveries(database)
        await makeTriggeredDeliveries(run)
        await releaseHeld(run)
        const count = await lanes.takeDue()
        await lanes.drain()
        isBusy = hasMore || count > 0
      }
    },
    close: async () => {
      closing.abort()
      await running
      await lanes.drain()
      if (performance.now() < leaseEndsAt) await lease(0)
    },
  }
}
