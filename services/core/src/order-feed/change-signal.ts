/**
 * Tells waiting code that something was committed: one connection per process that listens to PostgreSQL's
 * notifications. While it is broken, waits end after a short time, so that nobody misses a change, only some time.
 */
import { createChannelListener } from '@merx/postgres/channel-listener'
import type { Logger } from '@merx/telemetry/logger'
import { createChannelWaits } from './channel-waits.ts'
import type { ChannelWaits } from './channel-waits.ts'

export interface ChangeSignalOptions {
  readonly url: string
  readonly channels: readonly string[]
  readonly log: Logger
}

export interface ChangeSignal {
  /** Take it before looking at the data: `after` then also sees what came in between. */
  mark(channel: string): number
  /** Resolves at the channel's first notification after the mark, after `timeoutMs`, on abort, or on close. */
  after(channel: string, mark: number, timeoutMs: number, abort?: AbortSignal): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
  readonly isClosed: boolean
}

/** A wait never lasts longer than this while nobody listens. */
const UNHEARD_WAIT_MS = 500

export const createChangeSignal = ({ url, channels, log }: ChangeSignalOptions): ChangeSignal => {
  const waits = new Map(channels.map((channel) => [channel, createChannelWaits()]))
  let isClosed = false

  const waitsOf = (channel: string): ChannelWaits => {
    const found = waits.get(channel)
    if (found === undefined) throw new Error(`nobody listens to ${channel}`)
    return found
  }

  const on = Object.fromEntries([...waits].map(([channel, each]) => [channel, () => each.wake()]))
  const listener = createChannelListener({ url, applicationName: 'merx-core-listen', on, log })

  return {
    mark: (channel) => waitsOf(channel).mark(),
    after: (channel, mark, timeoutMs, abort) => {
      if (isClosed) return Promise.resolve()
      const waitMs = listener.isConnected() ? timeoutMs : Math.min(timeoutMs, UNHEARD_WAIT_MS)
      return waitsOf(channel).after(mark, waitMs, abort)
    },
    start: () => listener.start(),
    close: async () => {
      isClosed = true
      for (const each of waits.values()) each.wake()
      await listener.close()
    },
    get isClosed() {
      return isClosed
    },
  }
}
