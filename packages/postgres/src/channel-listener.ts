/** LISTEN on PostgreSQL: one connection per process on which notifications arrive within milliseconds. */
import type { Logger } from '@merx/telemetry/logger'
import { Client } from 'pg'
import { KEEP_ALIVE } from './keep-alive.ts'

/** Receives notifications; while its connection is broken it receives none, and connects again by itself. */
export interface ChannelListener {
  /** False while the connection is broken: changes then have to be looked for. */
  isConnected(): boolean
  /** @throws the error of the first connection; later ones are tried again until close. */
  start(): Promise<void>
  close(): Promise<void>
}

/** Where to listen, and what to do then. */
export interface ChannelListenerOptions {
  readonly url: string
  /** Seen in pg_stat_activity and in PostgreSQL's log. */
  readonly applicationName: string
  /** By channel. Each is also called after a reconnection, since notifications may have been missed. */
  readonly on: Readonly<Record<string, () => void>>
  readonly log: Logger
}

const CONNECT_TIMEOUT_MS = 5_000
const RETRY_MS_MIN = 100
const RETRY_MS_MAX = 5_000

/** A connection that listens, or the error that prevented it; nothing stays open then. */
const open = async (client: Client, channels: readonly string[], log: Logger): Promise<void> => {
  try {
    await client.connect()
    for (const channel of channels) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`)
  } catch (error) {
    await client
      .end()
      .catch((endError: unknown) => log.debug({ err: endError }, 'the connection was gone already'))
    throw error
  }
}

/** @example const listener = createChannelListener({ url, applicationName: 'core-listen', on: { changes: wake }, log }) */
export const createChannelListener = (options: ChannelListenerOptions): ChannelListener => {
  const { url, applicationName, on, log } = options
  let client: Client | undefined
  let isClosed = false
  let retry: NodeJS.Timeout | undefined

  const connect = async (): Promise<void> => {
    const next = new Client({
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      ...KEEP_ALIVE,
    })
    next.on('error', (error) => lose(next, error))
    next.on('end', () => lose(next))
    next.on('notification', ({ channel }) => on[channel]?.())
    await open(next, Object.keys(on), log)
    if (isClosed) return next.end()
    client = next
  }

  // A broken connection says so once or twice; only the current one counts.
  const lose = (lost: Client, error?: Error): void => {
    if (client !== lost) return
    client = undefined
    log.warn({ err: error }, 'lost the connection that listens for changes')
    connectLater(RETRY_MS_MIN)
  }

  const connectLater = (delayMs: number): void => {
    if (isClosed) return
    retry = setTimeout(() => void reconnect(delayMs), delayMs).unref()
  }

  const reconnect = async (delayMs: number): Promise<void> => {
    try {
      await connect()
      if (isClosed) return
      log.info('listening for changes again')
      for (const call of Object.values(on)) call()
    } catch (error) {
      log.debug({ err: error }, 'could not listen for changes yet')
      connectLater(Math.min(delayMs * 2, RETRY_MS_MAX))
    }
  }

  return {
    isConnected: () => client !== undefined,
    start: connect,
    close: async () => {
      isClosed = true
      clearTimeout(retry)
      const last = client
      client = undefined
      await last?.end()
    },
  }
}
