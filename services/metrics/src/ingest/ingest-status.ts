/** The status of the ingest: for health, the gauges, and whoever waits for a rebuild. */
import { InternalCallError } from '@merx/http/internal-call-error'
import { isOutOfSpace } from '../engine/engine-errors.ts'
import { isTooLarge } from './feed-source.ts'

export interface RebuildProgress {
  readonly generation: number
  /** Documents read into the new tables so far. */
  readonly applied: number
  /** About how many there will be, changes that come meanwhile are on top; undefined for the first tables of a store. */
  readonly expected: number | undefined
  readonly startedAt: string
}

export interface IngestStatus {
  /** `filling` in one process of a store, `standing by` in the others. */
  readonly role: 'filling' | 'standing by'
  readonly hasCaughtUp: boolean
  /** Milliseconds since the store was last known to hold everything; 0 while it does, undefined before the first time. */
  readonly lagMs: number | undefined
  /** Changes in core that the store does not have, counted to 10,000 about once a second; undefined when not known. */
  readonly backlog: number | undefined
  /** Attempts that failed in a row. */
  readonly failures: number
  /** Why nothing can be written now; undefined while all is well. */
  readonly trouble: string | undefined
  /** Orders whose newest state could not be stored; the table `quarantine` says why. */
  readonly quarantined: number
  /** Of the tables that queries read. */
  readonly generation: number
  /** Cursor of core up to which it is filled; undefined before the first page. */
  readonly position: string | undefined
  /** Entries of the feed that this process has written since it started. */
  readonly appliedTotal: number
  readonly rebuild: RebuildProgress | undefined
}

/** As `/internal/ingest` shows it, and as the leader reports it to core. */
export const toWireStatus = (status: IngestStatus) => ({
  role: status.role,
  has_caught_up: status.hasCaughtUp,
  lag_ms: status.lagMs ?? null,
  backlog: status.backlog ?? null,
  failures: status.failures,
  trouble: status.trouble ?? null,
  quarantined: status.quarantined,
  generation: status.generation,
  position: status.position ?? null,
  rebuild:
    status.rebuild === undefined
      ? null
      : {
          generation: status.rebuild.generation,
          applied: status.rebuild.applied,
          expected: status.rebuild.expected ?? null,
          started_at: status.rebuild.startedAt,
        },
})

export type WireStatus = ReturnType<typeof toWireStatus>

/** A report says nothing about the time since it was made; up to this age it is as good as new. */
const FRESH_MS = 2_500

const laterBy = (lagMs: number | null | undefined, ageMs: number): number | undefined =>
  lagMs === null || lagMs === undefined ? undefined : lagMs + (ageMs > FRESH_MS ? ageMs : 0)

const toRebuild = ({
  generation,
  applied,
  expected,
  started_at: startedAt,
}: NonNullable<WireStatus['rebuild']>): RebuildProgress => ({
  generation,
  applied,
  expected: expected ?? undefined,
  startedAt,
})

/** As the leader reported it to core `ageMs` ago; what the report lacks is `own`. */
export const fromLeader = (
  { report, ageMs }: { readonly report: Readonly<Record<string, unknown>>; readonly ageMs: number },
  own: IngestStatus,
): IngestStatus => {
  // Written by toWireStatus, of this release or another: what is missing is not known.
  const reported = report as Partial<WireStatus>
  return {
    role: 'standing by',
    hasCaughtUp: reported.has_caught_up ?? own.hasCaughtUp,
    lagMs: laterBy(reported.lag_ms, ageMs),
    backlog: reported.backlog ?? undefined,
    failures: own.failures,
    trouble: own.trouble ?? reported.trouble ?? undefined,
    quarantined: reported.quarantined ?? 0,
    generation: reported.generation ?? own.generation,
    position: reported.position ?? undefined,
    appliedTotal: own.appliedTotal,
    rebuild: reported.rebuild ? toRebuild(reported.rebuild) : undefined,
  }
}

/** Safe to show; the log has the rest. */
export const troubleOf = (error: unknown): string => {
  if (isOutOfSpace(error)) return 'the disk of the analytics engine is full'
  if (isTooLarge(error)) return 'an order is larger than an answer of core may be'
  if (error instanceof InternalCallError) return 'core cannot be read'
  return 'the analytics store cannot be written'
}
