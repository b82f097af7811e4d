/** The side of the target: a program that serves until the process that started it has measured enough. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { TargetReply, TargetRequest, TargetSample } from './target-messages.ts'

/** What `serve` opened. `facts` reach the measuring process as JSON: ids, secrets, whatever requests need. */
export interface Serving<Facts> {
  readonly url: string
  readonly facts: Facts
  close(): Promise<void>
}

const LAG_RESOLUTION_MS = 10
const MS_PER_US = 1e-3
const MS_PER_NS = 1e-6

const reply = (message: TargetReply): void => {
  process.send?.(message)
}

const createSampler = () => {
  const delay = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  delay.enable()
  // The histogram holds the time between two looks, which is the resolution when nothing is late.
  const lagMs = (ns: number): number => Math.max(0, ns * MS_PER_NS - LAG_RESOLUTION_MS)
  return {
    reset: () => delay.reset(),
    take: (): TargetSample => {
      const { rss, heapUsed } = process.memoryUsage()
      const { user, system } = process.cpuUsage()
      return {
        rssBytes: rss,
        heapUsedBytes: heapUsed,
        cpuMs: (user + system) * MS_PER_US,
        lagP50Ms: lagMs(delay.percentile(50)),
        lagP99Ms: lagMs(delay.percentile(99)),
        lagMaxMs: lagMs(delay.max),
      }
    },
  }
}

/** Twice, because objects with finalizers go only the second time. Needs --expose-gc, which startTarget passes. */
const collect = async (): Promise<void> => {
  for (let turn = 0; turn < 2; turn += 1) {
    globalThis.gc?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/**
 * Waits for the measuring process to say what to serve, serves, answers its questions, and ends on request or when
 * that process is gone.
 *
 * @example runAsTarget(async (input: { body: string }) => ({ url, facts: {}, close: () => server.close() }))
 */
export const runAsTarget = <Input, Facts>(serve: (input: Input) => Promise<Serving<Facts>>): void => {
  const sampler = createSampler()
  let serving: Serving<Facts> | undefined

  const start = async (input: unknown): Promise<void> => {
    try {
      serving = await serve(input as Input) // startTarget's caller and this program agree on the shape
      reply({ kind: 'ready', url: serving.url, facts: serving.facts })
    } catch (error) {
      reply({
        kind: 'failed',
        reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    }
  }

  const stop = async (): Promise<void> => {
    await serving?.close()
    process.exit(0)
  }

  process.on('message', (message: TargetRequest) => {
    switch (message.kind) {
      case 'start':
        void start(message.input)
        return
      case 'sample':
        void (message.collectGarbage ? collect() : Promise.resolve()).then(() =>
          reply({ kind: 'sample', id: message.id, sample: sampler.take() }),
        )
        return
      case 'reset_lag':
        sampler.reset()
        return
      case 'stop':
        void stop()
    }
  })
  process.on('disconnect', () => void stop())
}
