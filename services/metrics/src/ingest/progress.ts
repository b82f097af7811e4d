/** What this process has done and met while it fills the store: written by the work, read by its status. */
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import { troubleOf, type IngestStatus, type RebuildProgress } from './ingest-status.ts'
import type { Track } from './track.ts'

export interface Beside {
  readonly track: Track
  readonly expected: number | undefined
  readonly startedAt: string
}

export interface Progress {
  isFilling: boolean
  /** Of the live tables, if there are any; the last one, while another process fills the store. */
  track: Track | undefined
  /** Of tables that are being built. */
  beside: Beside | undefined
  /** When the live tables were last known to hold everything. */
  caughtUpAtMs: number | undefined
  failures: number
  trouble: string | undefined
  appliedTotal: number
}

export const createProgress = (): Progress => ({
  isFilling: false,
  track: undefined,
  beside: undefined,
  caughtUpAtMs: undefined,
  failures: 0,
  trouble: undefined,
  appliedTotal: 0,
})

const RETRY_MS_MIN = 100
const RETRY_MS_MAX = 5_000
const LOG_EVERY = 20

/** Counts and tells a failure; gives how long to wait before trying again. */
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

const toRebuild = ({ beside }: Progress): RebuildProgress | undefined => {
  if (beside === undefined) return undefined
  const { track, expected, startedAt } = beside
  return { generation: track.generation, applied: track.status().position.applied, expected, startedAt }
}

/**
 * Changes that wait longer behind one position than several renewals and a batch take are not on their way: core holds them
 * back while an older transaction is open, and its pages say all the while that nothing is left.
 */
const WAITING_MS_MAX = 2_000

/** Of what this process fills, or filled last. */
export const ownStatus = (
  progress: Progress,
  lease: { readonly failures: number; readonly backlog: number | undefined; readonly waitingMs: number },
  clock: Clock,
): IngestStatus => {
  const { track, beside, isFilling } = progress
  const seen = track?.status()
  const failures = progress.failures + lease.failures
  const waitingMs = lease.waitingMs > WAITING_MS_MAX ? Math.round(lease.waitingMs) : 0
  const isFresh = isFilling && seen?.isCaughtUp === true && failures === 0 && waitingMs === 0
  const { caughtUpAtMs } = progress
  const lateMs =
    caughtUpAtMs === undefined ? undefined : Math.max(clock.now().getTime() - caughtUpAtMs, waitingMs)
  return {
    role: isFilling ? 'filling' : 'standing by',
    hasCaughtUp: seen?.position.hasCaughtUp ?? false,
    lagMs: isFresh ? 0 : lateMs,
    backlog: lease.backlog,
    failures,
    trouble: progress.trouble ?? (lease.failures > 0 ? 'core or the engine cannot be reached' : undefined),
    quarantined: seen?.quarantined ?? 0,
    generation: track?.generation ?? 0,
    position: (seen ?? beside?.track.status())?.position.cursor,
    appliedTotal: progress.appliedTotal,
    rebuild: toRebuild(progress),
  }
}
