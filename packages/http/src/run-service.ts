/** A service's life as a process: wait for what it needs, open, serve, drain, close. Each main.ts is a call of this. */
import process from 'node:process'
import type { Logger } from '@merx/telemetry/logger'
import { pause } from '@merx/telemetry/pause'
import { startTelemetry } from '@merx/telemetry/start-telemetry'
import type { TelemetryConfig } from '@merx/telemetry/telemetry-config'
import { createAdminApp, type Phase } from './admin-app.ts'
import { beginService } from './begin-service.ts'
import { listen } from './listen.ts'
import type { RawErrorCodes } from './raw-errors.ts'
import type { Service } from './service.ts'
import { waitFor, type Dependency } from './wait-for.ts'

/** The settings every service has. */
export interface RunConfig extends TelemetryConfig {
  readonly host: string
  readonly port: number
  readonly internalPort: number
  /** How long it goes on answering after it said that it is no longer ready. */
  readonly drainDelayMs: number
}

export interface RunOptions {
  readonly name: string
  readonly config: RunConfig
  readonly log: Logger
  /** By the name that /health/ready shows; waited for in turn before `open`. */
  readonly dependencies: Readonly<Record<string, Dependency>>
  /** Migrates and composes. */
  readonly open: () => Promise<Service>
  /** Whether a failure of `open` or `start` says that a dependency is unavailable; then all of it begins again. */
  readonly isUnavailable: (error: unknown) => boolean
  readonly rawErrors: RawErrorCodes
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Resolves with the first signal that asks the process to end. */
const waitForEndSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, resolve)
  })

/**
 * Serves until SIGINT or SIGTERM. The internal listener opens first, so that /health/ready can say what is waited for,
 * and closes last. At the signal: readiness is no at once and every answer ends its connection; after `drainDelayMs` streams
 * end, the public listener stops accepting and finishes what is in flight; then everything closes in reverse.
 */
export const runService = async (options: RunOptions): Promise<void> => {
  const { name, config, log, rawErrors } = options
  const { host, port, internalPort, drainDelayMs } = config
  const ending = new AbortController()
  const signalled = waitForEndSignal().then((signal) => {
    log.info({ signal }, `${name} is stopping`)
    ending.abort()
  })
  await using closers = new AsyncDisposableStack()
  const telemetry = await startTelemetry({ service: name, config, log })
  closers.defer(() => telemetry.close())

  let phase: Phase = { name: 'starting', waitingFor: {} }
  const admin = await listen(
    createAdminApp(name, () => phase, log),
    { host, port: internalPort },
  )
  closers.defer(() => admin.close())
  const waitForAll = async (): Promise<void> => {
    for (const [label, dependency] of Object.entries(options.dependencies)) {
      const onWaiting = (reason: string): void => {
        phase = { name: 'starting', waitingFor: { [label]: reason } }
      }
      await waitFor(dependency, { log, signal: ending.signal, onWaiting })
    }
    phase = { name: 'starting', waitingFor: { [name]: 'migrations and caches' } }
  }
  const { open, isUnavailable } = options
  const service = await beginService({ name, log, signal: ending.signal, waitForAll, open, isUnavailable })
  if (service === undefined) return
  closers.defer(() => service.close())
  closers.defer(async () => {
    service.endWaits?.()
    await admin.close()
  })
  const server = await listen(service.app, { host, port, rawErrors })
  closers.defer(() => server.close())
  closers.defer(() => service.endStreams?.())
  phase = { name: 'serving', internalApp: service.internalApp }
  log.info({ url: server.url, internal_url: admin.url }, `${name} is listening`)

  await signalled
  phase = { name: 'draining', internalApp: service.internalApp }
  server.endConnections()
  await pause(drainDelayMs, new AbortController().signal)
}

/** As runService; a failure is logged and becomes the exit code. */
export const runServiceToEnd = async (options: RunOptions): Promise<void> => {
  try {
    await runService(options)
  } catch (error) {
    options.log.fatal({ err: error }, `${options.name} did not start or stop cleanly`)
    process.exitCode = 1
  }
}
