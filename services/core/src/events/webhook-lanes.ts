/** Takes due deliveries into the lanes of their receivers, calls, and has the results written. */
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import type { Database } from '../engine/database/database.ts'
import { runOn } from '../engine/database/run-statement.ts'
import type { Registry } from '../engine/registry.ts'
import type { SecretBox } from '../engine/secret-box.ts'
import type { Outside } from '../outside/outside.ts'
import { failed } from '../outside/result.ts'
import type { OutsideResult } from '../outside/result.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import { createLane } from './delivery-lane.ts'
import type { Lane } from './delivery-lane.ts'
import { logFailing } from './log-failing.ts'
import type { AttemptResult, NotCalled } from './record-results.ts'
import { createResultWriter } from './result-writer.ts'
import { LANE_TAKE_MAX, takeDeliveries } from './take-deliveries.ts'
import type { DueDelivery } from './take-deliveries.ts'
import { renderBodies } from './webhook-document.ts'

export interface LaneDeps {
  readonly database: Database
  readonly registry: Registry
  readonly secretBox: SecretBox
  readonly outside: Pick<Outside, 'post'>
  readonly clock: Clock
  readonly log: Logger
  /** Told of each attempt; for metrics. */
  readonly onAttempt: (attempt: AttemptResult) => void
}

export interface WebhookLanes {
  /** @returns how many were due */
  takeDue(): Promise<number>
  /** Resolves when nothing is in memory. */
  drain(): Promise<void>
}

interface Prepared {
  readonly delivery: DueDelivery
  readonly body: string | null
}

const NO_DOCUMENT = failed('aborted', 'the document could not be made')
const NO_CALL = failed('aborted', 'the call could not be made')

const recordOf = ({ delivery: { environment_id, resource_type, record_id } }: Prepared): string =>
  [environment_id, resource_type, record_id].join()

/** The call never rejects: a defect of ours fails one delivery, and not the process that makes all. */
const callerOf =
  ({ outside, registry, secretBox, clock, log }: LaneDeps) =>
  async ({ delivery, body }: Prepared): Promise<OutsideResult> => {
    if (body === null) return NO_DOCUMENT
    try {
      return await deliverWebhook(delivery, body, { outside, registry, secretBox, now: () => clock.now() })
    } catch (error) {
      log.error({ err: error, delivery: delivery.id }, 'a webhook could not be called; it is tried again')
      return NO_CALL
    }
  }

export const createWebhookLanes = (deps: LaneDeps): WebhookLanes => {
  const { database, registry, secretBox, log, onAttempt } = deps
  const run = runOn(database.pool)
  const lanes = new Map<number, Lane<Prepared>>()
  /** Ids of what is in memory, in flight or waiting for its result to be written. */
  const taken = new Set<number>()
  const openCircuits = new Set<number>()
  const writer = createResultWriter({ database, secretBox }, (failing) => {
    if (failing.hasOpened) openCircuits.add(failing.webhookId)
    logFailing(failing, { registry, log })
  })
  let idle = Promise.withResolvers<void>()

  /** What was not written is due again. */
  const finish = async (item: AttemptResult | NotCalled): Promise<void> => {
    const { id } = item.delivery
    try {
      await writer.add(item)
    } catch (error) {
      log.warn({ err: error, delivery: id }, 'the result of a webhook was not written; it is delivered again')
    } finally {
      taken.delete(id)
      if (taken.size === 0) {
        idle.resolve()
        idle = Promise.withResolvers()
      }
    }
  }
  const call = callerOf(deps)
  const start = async (prepared: Prepared): Promise<void> => {
    const { delivery } = prepared
    if (openCircuits.has(delivery.webhook_id)) return finish({ delivery, outcome: 'held' })
    const attempt = { ...prepared, result: await call(prepared) }
    onAttempt(attempt)
    await finish(attempt)
  }
  /** Retries send what the first attempt sent. */
  const bodyOf = ({ id, body }: DueDelivery, bodies: ReadonlyMap<number, string | null>): string | null =>
    body === null ? (bodies.get(id) ?? null) : String(secretBox.open(body))
  const laneOf = (key: number): Lane<Prepared> => {
    const lane = lanes.get(key) ?? createLane<Prepared>({ recordOf, start })
    lanes.set(key, lane)
    return lane
  }
  /** What is not to be called any more is put aside. */
  const putAside = (due: readonly DueDelivery[]): readonly DueDelivery[] => {
    for (const { webhook_id: webhook, circuit_state: state } of due) {
      if (state === 'open') openCircuits.add(webhook)
      else openCircuits.delete(webhook)
    }
    const isCallable = ({ is_disabled: isDisabled, circuit_state: state }: DueDelivery): boolean =>
      !isDisabled && state === 'closed'
    for (const delivery of due)
      if (!isCallable(delivery)) void finish({ delivery, outcome: delivery.is_disabled ? 'dropped' : 'held' })
    return due.filter(isCallable)
  }
  return {
    takeDue: async () => {
      for (const [key, lane] of lanes) if (lane.size() === 0) lanes.delete(key)
      const full = [...lanes].filter(([, lane]) => lane.size() >= LANE_TAKE_MAX).map(([key]) => key)
      const due = await takeDeliveries({ taken: [...taken], full }, run)
      for (const { id } of due) taken.add(id)
      const callable = putAside(due)
      const forget = (error: unknown): never => {
        for (const { id } of callable) taken.delete(id)
        throw error
      }
      const isNew = ({ body }: DueDelivery): boolean => body === null
      const bodies = await renderBodies(callable.filter(isNew), { database, registry, secretBox, log }).catch(
        forget,
      )
      for (const [key, group] of Map.groupBy(callable, ({ lane }) => lane))
        laneOf(key).add(group.map((delivery) => ({ delivery, body: bodyOf(delivery, bodies) })))
      return due.length
    },
    drain: async () => {
      while (taken.size > 0) await idle.promise
    },
  }
}
