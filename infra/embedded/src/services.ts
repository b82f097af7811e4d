/** The services, composed in this process exactly as their own main.ts does, on internal addresses of 127.0.0.1. */
import type { RequestListener } from 'node:http'
import { compose as composeAuth } from '@merx/auth/compose'
import { loadAuthConfig } from '@merx/auth/config'
import { migrateAuth } from '@merx/auth/migrate'
import type { Provisioning } from '@merx/auth/provisioning/provisioning'
import type { Environment } from '@merx/config/load-config'
import { compose as composeCore } from '@merx/core/compose'
import type { CoreSystem } from '@merx/core/compose'
import { loadCoreConfig } from '@merx/core/config'
import { migrateCore } from '@merx/core/migrate'
import { createAdminApp, type Phase } from '@merx/http/admin-app'
import { compose as composeMetrics } from '@merx/metrics/compose'
import { loadMetricsConfig } from '@merx/metrics/config'
import type { Logger } from '@merx/telemetry/logger'
import { readDemoUsers } from './demo-users.ts'
import { waitUntilFilled } from './fill-metrics.ts'
import { openInternalAddress } from './internal-address.ts'
import type { InternalAddress } from './internal-address.ts'
import type { Progress } from './progress.ts'

export interface ServicesDeps {
  /** Of the process, with the addresses of the backing servers and the secrets. */
  readonly env: Environment
  readonly createLog: (service: string) => Logger
  readonly progress: Progress
  /** Ports meant for the public addresses. */
  readonly avoidPorts: ReadonlySet<number>
  /** Where the users of the demo are kept. */
  readonly dataFolder: string
}

export interface Services {
  readonly auth: RequestListener
  readonly core: RequestListener
  readonly metrics: RequestListener
  /** Answers 503 until serveConsole: it needs the public addresses, which open last. */
  readonly console: RequestListener
  readonly provisioning: Provisioning
  readonly coreDatabaseUrl: string
  /** Of core's resources. */
  readonly coreIds: CoreSystem['registry']['ids']
  /** Where the internal listener of each service is: health and Prometheus's metrics, too. */
  readonly internalUrls: Readonly<Record<'auth' | 'core' | 'metrics' | 'console', string>>
  /** What auth runs with, as environment variables, and where metrics is. */
  readonly authEnvironment: Environment
  /** Starts it, and closes it with `closers`. */
  serveConsole(part: Part, closers: AsyncDisposableStack): Promise<void>
  /** How far the orders of the demo are; metrics is not ready until fillMetrics is called. */
  reportDemo(line: string): void
  /** Ends streams to callers, so that the public listeners can close. */
  endStreams(): void
  /** Starts to fill metrics. Resolves when it holds every order of core, or with false when that keeps failing. Call it once. */
  fillMetrics(): Promise<boolean>
}

/** What a composed service shows to the outside of it. */
export interface Part {
  readonly app: RequestListener
  readonly internalApp: RequestListener
  start(): Promise<void>
  /** Answers calls that wait for something to happen, so that their listener can close. */
  endWaits?(): void
  close(): Promise<void>
}

/** Migrates, composes and starts the services; they are closed by `closers`, in reverse. */
export const openServices = async (deps: ServicesDeps, closers: AsyncDisposableStack): Promise<Services> => {
  const { createLog, progress, avoidPorts } = deps
  const openAddress = async (): Promise<InternalAddress> => {
    const address = await openInternalAddress(avoidPorts)
    closers.defer(() => address.close())
    return address
  }
  const authAddress = await openAddress()
  const coreAddress = await openAddress()
  const metricsAddress = await openAddress()
  const consoleAddress = await openAddress()
  const env = { ...deps.env, AUTH_INTERNAL_URL: authAddress.url, CORE_INTERNAL_URL: coreAddress.url }

  const authConfig = loadAuthConfig(env)
  const coreConfig = loadCoreConfig(env)
  const metricsConfig = loadMetricsConfig(env)
  const report = (service: string) => (step: { name: string; done: number; total: number }) =>
    progress.step(`migrating ${service}: ${step.name} (${step.done}/${step.total})`)
  await migrateAuth(authConfig, createLog('auth'), report('auth'))
  await migrateCore(coreConfig, createLog('core'), report('core'))

  const serve = createServe(createLog, closers)
  const auth = await composeAuth(authConfig, {
    log: createLog('auth'),
    demoUsers: (slug) => readDemoUsers(deps.dataFolder).filter(({ organization }) => organization === slug),
  })
  serve('auth', auth, authAddress)
  const core = await composeCore(coreConfig, { log: createLog('core') })
  serve('core', core, coreAddress)
  const metrics = await composeMetrics(metricsConfig, { log: createLog('metrics') })
  let demo = 'not loaded yet'
  let isFilling = false
  serve('metrics', metrics, metricsAddress, () => (isFilling ? undefined : { demo }))
  for (const part of [auth, core]) await part.start()
  let console: RequestListener = unavailable
  return {
    auth: auth.app,
    core: core.app,
    metrics: metrics.app,
    console: (req, res) => console(req, res),
    provisioning: auth.provisioning,
    coreDatabaseUrl: coreConfig.coreDatabaseUrl,
    coreIds: core.registry.ids,
    internalUrls: {
      auth: authAddress.url,
      core: coreAddress.url,
      metrics: metricsAddress.url,
      console: consoleAddress.url,
    },
    authEnvironment: { ...env, METRICS_INTERNAL_URL: metricsAddress.url },
    serveConsole: async (part, closersOfConsole) => {
      createServe(createLog, closersOfConsole)('console', part, consoleAddress)
      await part.start()
      console = part.app
    },
    endStreams: () => core.endStreams(),
    reportDemo: (line) => {
      demo = line
    },
    fillMetrics: async () => {
      isFilling = true
      await metrics.start()
      return metrics.ingester === undefined || waitUntilFilled(metrics.ingester)
    },
  }
}

const unavailable: RequestListener = (_req, res) => {
  res.writeHead(503, { 'retry-after': '1' }).end()
}

/** Closing runs backwards: answer the waiting calls, stop listening, then close what they used. */
const createServe =
  (createLog: ServicesDeps['createLog'], closers: AsyncDisposableStack) =>
  (
    name: string,
    part: Part,
    address: InternalAddress,
    waitingFor: () => Readonly<Record<string, string>> | undefined = () => undefined,
  ): void => {
    closers.defer(() => part.close())
    closers.defer(async () => {
      part.endWaits?.()
      await address.close()
    })
    const { internalApp } = part
    const phase = (): Phase => {
      const waiting = waitingFor()
      return waiting === undefined
        ? { name: 'serving', internalApp }
        : { name: 'starting', waitingFor: waiting }
    }
    address.serve(createAdminApp(name, phase, createLog(name)))
  }
