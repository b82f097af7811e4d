/**
 * Loop 1 of 3 of the ingest: elects the leader. The process that gets the lease fills the store (loop 3, rebuild.ts) until it
 * loses the lease, fails, or ends; the others request it again (docs/adr/0065-three-ingest-loops.md).
 */
import type { Logger } from '@merx/telemetry/logger'
import { isTableMissing } from '../engine/engine-errors.ts'
import { LeaseLost, type Lease, type LeaseClient } from './lease.ts'
import { noteFailure, type Progress } from './progress.ts'

export interface ElectDeps {
  readonly leases: LeaseClient
  /** What the leader does. Ends when the signal aborts; throws what this process cannot recover from. */
  readonly lead: (lease: Lease, signal: AbortSignal) => Promise<void>
  /** Creates the control tables that are missing. */
  readonly openStore: () => Promise<void>
  readonly progress: Progress
  readonly log: Logger
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/** How often a process without the lease requests it. */
const RETRY_MS = 250

const leadOnce = async ({ lead, progress, log }: ElectDeps, lease: Lease, signal: AbortSignal) => {
  log.info({ token: lease.token }, 'this process fills the analytics store')
  try {
    await lead(lease, AbortSignal.any([signal, lease.signal]))
    if (!signal.aborted) lease.requireHeld()
  } finally {
    progress.isLeader = false
    await lease.release()
  }
}

/** Tables go one after the other when a damaged store is dropped, so one may be missing while the state of the ingest is there. */
const recover = async (deps: ElectDeps, error: unknown, signal: AbortSignal): Promise<void> => {
  const { openStore, progress, log, pause } = deps
  await pause(noteFailure(progress, error, log), signal)
  if (isTableMissing(error)) await openStore().catch((cause: unknown) => noteFailure(progress, cause, log))
}

/** Until the signal aborts. */
export const elect = async (deps: ElectDeps, signal: AbortSignal): Promise<void> => {
  const { leases, log, pause } = deps
  while (!signal.aborted) {
    const lease = await leases.acquire()
    if (lease === undefined) {
      await pause(RETRY_MS, signal)
      continue
    }
    try {
      await leadOnce(deps, lease, signal)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof LeaseLost) log.warn({ err: error }, 'another process may fill the store now')
      else await recover(deps, error, signal)
    }
  }
}
