/** The state of the ingest in this process: written by its loops, read by its status. */
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import type { Position } from '../store/ingest-state.ts'
import { troubleOf, type IngestStatus, type RebuildProgress } from './ingest-status.ts'
import type { LeaseStatus } from './lease.ts'

export interface ConsumerStatus {
  readonly position: Position
  /** The newest page said that nothing was left. */
  readonly isCaughtUp: boolean
  /** Orders whose newest state could not be stored. */
  readonly quarantined: number
}

/** The tables of one generation and how far they are filled. */
export interface Followed {
  readonly generation: number
  status(): ConsumerStatus
}

/** Tables that are being filled, to be swapped with the live ones. */
export interface Shadow {
  readonly consumer: Followed
  readonly expected: number | undefined
  readonly startedAt: string
}

export interface Progress {
  isLeader: boolean
  /** Of the live tables, if there are any; the last one, while another process is the leader. */
  live: Followed | undefined
  shadow: Shadow | undefined
  /** When the live tables were last known to hold everything. */
  caughtUpAtMs: number | undefined
  failures: number
  trouble: string | undefined
  appliedTotal: number
}

export const createProgress = (): Progress => ({
  isLeader: false,
  live: undefined,
  shadow: undefined,
  caughtUpAtMs: undefined,
  failures: 0,
  trouble: undefined,
  appliedTotal: 0,
})

const RETRY_MS_MIN = 100
const RETRY_MS_MAX = 5_000
const LOG_EVERY = 20

/** Counts and logs a failure; returns how long to wait before the next attempt. */
export const noteFailure = (progress: Progress, error: unknown, log: Logger): number => {
  progress.failures += 1
  progress.trouble = troubleOf(error)
  const { failures, trouble } = progress
  const level = failures === 1 || failures % LOG_EVERY === 0 ? 'warn' : 'debug'
  log[level]({ err: error, failures, trouble }, 'the order feed could not be read or stored; retrying')
  return Math.min(RETRY_MS_MIN * 2 ** (failures - 1), RETRY_MS_MAX)
}

export const noteSuccess = (progress: Progress, count: number): void => {
  progress.failures = 0
  progress.trouble = undefined
  progress.appliedTotal += count
}

const toRebuild = ({ shadow }: Progress): RebuildProgress | undefined => {
  if (shadow === undefined) return undefined
  const { consumer, expected, startedAt } = shadow
  const { applied } = consumer.status().position
  return { generation: consumer.generation, applied, expected, startedAt }
}

/**
 * Changes that wait longer behind one position than several renewals and a batch take are held back by core while an older
 * transaction is open, and its pages report all the while that nothing is left.
 */
const WAITING_MS_MAX = 2_000

/** The status of what this process fills, or filled last. */
export const ownStatus = (
  progress: Progress,
  lease: Omit<LeaseStatus, 'leader'>,
  clock: Clock,
): IngestStatus => {
  const { live, shadow, isLeader } = progress
  const seen = live?.status()
  const failures = progress.failures + lease.failures
  const waitingMs = lease.waitingMs > WAITING_MS_MAX ? Math.round(lease.waitingMs) : 0
  const isFresh = isLeader && seen?.isCaughtUp === true && failures === 0 && waitingMs === 0
  const { caughtUpAtMs } = progress
  const lateMs =
    caughtUpAtMs === undefined ? undefined : Math.max(clock.now().getTime() - caughtUpAtMs, waitingMs)
  return {
    role: isLeader ? 'filling' : 'standing by',
    hasCaughtUp: seen?.position.hasCaughtUp ?? false,
    lagMs: isFresh ? 0 : lateMs,
    backlog: lease.backlog,
    failures,
    trouble: progress.trouble ?? (lease.failures > 0 ? 'core or the engine cannot be reached' : undefined),
    quarantined: seen?.quarantined ?? 0,
    generation: live?.generation ?? 0,
    position: (seen ?? shadow?.consumer.status())?.position.cursor,
    appliedTotal: progress.appliedTotal,
    rebuild: toRebuild(progress),
  }
}
