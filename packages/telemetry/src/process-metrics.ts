/** Metrics of the process itself: event loop, memory, garbage collection. Names follow OpenTelemetry's conventions. */
import {
  constants,
  monitorEventLoopDelay,
  performance,
  PerformanceObserver,
  type NodeGCPerformanceDetail,
} from 'node:perf_hooks'
import process from 'node:process'
import { getHeapStatistics } from 'node:v8'
import { droppedLogLines } from './log-output.ts'
import { meterOf, observe, PROCESS } from './metrics.ts'

const NANOSECONDS = 1e9
const MICROSECONDS = 1e6
const MILLISECONDS = 1e3
/** How often the delay is sampled; each sample wakes a process that does nothing else: every 20 ms took 0.3 % of a core. */
const DELAY_RESOLUTION_MS = 100
const PERCENTILES = [50, 90, 99] as const

const GC_KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
}
const GC_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]

/** Since the scrape before: a delay of an hour ago must not hide in the total. */
const observeEventLoop = (): (() => void)[] => {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS })
  delay.enable()
  const stopDelay = observe(PROCESS, {
    name: 'nodejs_eventloop_delay_seconds',
    description: 'How late timers ran since the last scrape, by quantile.',
    read: () => {
      const values = PERCENTILES.map((percent) => {
        const seconds = delay.count === 0 ? 0 : delay.percentile(percent) / NANOSECONDS
        // A timer is never early: what is below the sampling itself is no delay.
        const late = Math.max(0, seconds - DELAY_RESOLUTION_MS / MILLISECONDS)
        return [{ quantile: String(percent / 100) }, late] as const
      })
      delay.reset()
      return values
    },
  })
  let last = performance.eventLoopUtilization()
  const stopUtilization = observe(PROCESS, {
    name: 'nodejs_eventloop_utilization',
    description: 'Share of the time since the last scrape in which the event loop was busy, 0 to 1.',
    read: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
  })
  return [() => delay.disable(), stopDelay, stopUtilization]
}

const measureGarbageCollection = (): (() => void) => {
  const durations = meterOf(PROCESS).createHistogram('v8js_gc_duration_seconds', {
    description: 'Pauses for garbage collection, by kind.',
    advice: { explicitBucketBoundaries: GC_BOUNDS },
  })
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = (entry as unknown as { detail: NodeGCPerformanceDetail }).detail
      durations.record(entry.duration / MILLISECONDS, { kind: GC_KINDS[kind ?? 0] ?? 'other' })
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  return () => observer.disconnect()
}

const observeMemoryAndProcessor = (): (() => void)[] => [
  observe(PROCESS, {
    name: 'v8js_memory_heap_used_bytes',
    description: 'Heap in use.',
    read: () => getHeapStatistics().used_heap_size,
  }),
  observe(PROCESS, {
    name: 'v8js_memory_heap_limit_bytes',
    description: 'Heap beyond which the process ends.',
    read: () => getHeapStatistics().heap_size_limit,
  }),
  observe(PROCESS, {
    name: 'process_resident_memory_bytes',
    description: 'Memory of the process.',
    read: () => process.memoryUsage.rss(),
  }),
  observe(PROCESS, {
    name: 'process_cpu_seconds',
    description: 'Processor time used.',
    isCounter: true,
    read: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / MICROSECONDS
    },
  }),
  observe(PROCESS, {
    name: 'process_start_time_seconds',
    description: 'When the process began, in seconds since 1970.',
    read: () => Math.round(performance.timeOrigin / MILLISECONDS),
  }),
]

/** @returns ends it */
export const observeProcess = (): (() => void) => {
  const closers = [
    ...observeEventLoop(),
    measureGarbageCollection(),
    ...observeMemoryAndProcessor(),
    observe(PROCESS, {
      name: 'merx_log_lines_dropped',
      description: 'Log lines that were never written, because their output took none for too long.',
      isCounter: true,
      read: droppedLogLines,
    }),
  ]
  return () => {
    for (const close of closers) close()
  }
}
