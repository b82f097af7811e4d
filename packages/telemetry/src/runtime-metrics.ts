/** What the process itself tells: event loop, memory, garbage collection. Names as OpenTelemetry's conventions. */
import {
  constants,
  monitorEventLoopDelay,
  performance,
  PerformanceObserver,
  type NodeGCPerformanceDetail,
} from 'node:perf_hooks'
import process from 'node:process'
import { getHeapStatistics } from 'node:v8'
import type { HistogramSeries, Instrument, Metrics } from './metrics.ts'
import { droppedLogLines } from './log-output.ts'

const NANOSECONDS = 1e9
const MICROSECONDS = 1e6
const MILLISECONDS = 1e3
/** How often the delay is sampled; finer costs processor time even when nothing happens. */
const DELAY_RESOLUTION_MS = 20
const QUANTILES = [50, 90, 99] as const

const GC_KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
}

const GC_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1] as const

/** Since the scrape before: a delay of an hour ago must not hide in the total. */
const defineEventLoop = (metrics: Metrics): (() => void) => {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS })
  delay.enable()
  metrics.gauge({
    name: 'nodejs_eventloop_delay_seconds',
    help: 'How late timers ran since the last scrape, by quantile.',
    labels: ['quantile'],
    read: () => {
      const values = QUANTILES.map((percent) => {
        const seconds = delay.count === 0 ? 0 : delay.percentile(percent) / NANOSECONDS
        // A timer is never early: what is below the sampling itself is no delay.
        return [[String(percent / 100)], Math.max(0, seconds - DELAY_RESOLUTION_MS / MILLISECONDS)] as const
      })
      delay.reset()
      return values
    },
  })
  let last = performance.eventLoopUtilization()
  metrics.gauge({
    name: 'nodejs_eventloop_utilization',
    help: 'Share of the time since the last scrape in which the event loop was busy, 0 to 1.',
    read: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
  })
  return () => delay.disable()
}

const gcDurations = new WeakMap<Metrics, Instrument<HistogramSeries>>()

/** Telemetry may be started again in a process; the histogram goes on. */
const gcDurationsOf = (metrics: Metrics): Instrument<HistogramSeries> => {
  const known = gcDurations.get(metrics)
  if (known !== undefined) return known
  const made = metrics.histogram({
    name: 'v8js_gc_duration_seconds',
    help: 'Pauses for garbage collection, by kind.',
    labels: ['kind'],
    bounds: GC_BOUNDS,
  })
  for (const kind of Object.values(GC_KINDS)) made.of(kind) // shown before the first
  gcDurations.set(metrics, made)
  return made
}

const defineGarbageCollection = (metrics: Metrics): (() => void) => {
  const durations = gcDurationsOf(metrics)
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = (entry as unknown as { detail: NodeGCPerformanceDetail }).detail
      durations.of(GC_KINDS[kind ?? 0] ?? 'other').record(entry.duration / MILLISECONDS)
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  return () => observer.disconnect()
}

/** Once for each service. @returns what ends the observing */
export const defineRuntimeMetrics = (metrics: Metrics): (() => void) => {
  const closers = [defineEventLoop(metrics), defineGarbageCollection(metrics)]
  metrics.gauge({
    name: 'v8js_memory_heap_used_bytes',
    help: 'Heap in use.',
    read: () => getHeapStatistics().used_heap_size,
  })
  metrics.gauge({
    name: 'v8js_memory_heap_limit_bytes',
    help: 'Heap beyond which the process ends.',
    read: () => getHeapStatistics().heap_size_limit,
  })
  metrics.gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process.',
    read: () => process.memoryUsage.rss(),
  })
  metrics.gauge({
    name: 'process_cpu_seconds',
    help: 'Processor time used.',
    isCounter: true,
    read: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / MICROSECONDS
    },
  })
  metrics.gauge({
    name: 'merx_log_lines_dropped',
    help: 'Lines of log that were never written, because the standard output took none for too long.',
    isCounter: true,
    read: droppedLogLines,
  })
  const startedAtSeconds = (Date.now() - process.uptime() * MILLISECONDS) / MILLISECONDS
  metrics.gauge({
    name: 'process_start_time_seconds',
    help: 'When the process began, in seconds since 1970.',
    read: () => Math.round(startedAtSeconds),
  })
  return () => {
    for (const close of closers) close()
  }
}
