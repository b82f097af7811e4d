/** The whole system in one process, without its public addresses: backing servers, then the services. */
import path from 'node:path'
import { loadConfig, type Environment } from '@merx/config/load-config'
import { createLogger } from '@merx/telemetry/logger'
import type { Logger } from '@merx/telemetry/logger'
import { startTelemetry } from '@merx/telemetry/start-telemetry'
import { telemetryFields } from '@merx/telemetry/telemetry-config'
import { openBacking } from './backing.ts'
import { removeConnectionFile, writeConnectionFile } from './connection-file.ts'
import { takeDataLock } from './data-lock.ts'
import { openLogFile } from './log-file.ts'
import type { Progress } from './progress.ts'
import { removePrometheusTargets, writePrometheusTargets } from './prometheus-targets.ts'
import { publicPorts } from './public-addresses.ts'
import { loadSecrets, requireSecretsOfData } from './secrets.ts'
import { openServices } from './services.ts'
import type { Services } from './services.ts'
import { localIssuerOf, type Settings } from './settings.ts'

export interface System {
  readonly services: Services
  readonly log: Logger
  readonly createLog: (service: string) => Logger
  /** Settles with the reason when a part the system cannot do without is gone. */
  readonly lost: Promise<string>
  /** More to close, before everything that is open now. */
  readonly closers: AsyncDisposableStack
  /** Says to other starts that this one is ending, then closes everything in reverse. */
  close(): Promise<void>
}

/**
 * @param check what must be true besides, asked once the data folder is ours: an earlier system that is about to end
 * would still hold its ports before.
 * @throws OperatorError when the data folder is taken; whatever was opened by then is closed again.
 */
export const openSystem = async (
  settings: Settings,
  env: Environment,
  progress: Progress,
  check: () => Promise<void> = () => Promise.resolve(),
): Promise<System> => {
  await using opening = new AsyncDisposableStack()
  requireSecretsOfData(settings.dataFolder)
  const lock = await takeDataLock(settings.dataFolder)
  opening.defer(() => lock.release())
  await check()
  const createLog = openLog(settings, opening)
  const log = createLog('system')
  const secrets = loadSecrets(settings.dataFolder)
  const { promise: lost, resolve: onLost } = Promise.withResolvers<string>()
  const [backing] = await Promise.all([
    openBacking({ settings, secrets, log, progress, onLost }, opening),
    openTelemetry(env, log, opening),
  ])
  const serviceEnv = {
    SERVICE_KEY: secrets.serviceKey,
    // Receivers on the same laptop are what people try webhooks with.
    OUTSIDE_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    ...env,
    ...backing,
    ID_SECRET: secrets.idSecret,
    MERX_ISSUER: localIssuerOf(settings),
  }
  const services = await openServices(
    {
      ...{ env: serviceEnv, createLog, progress, dataFolder: settings.dataFolder },
      avoidPorts: publicPorts(settings),
    },
    opening,
  )
  writeConnectionFile(settings.dataFolder, services.authEnvironment)
  opening.defer(() => removeConnectionFile(settings.dataFolder))
  writePrometheusTargets(settings.dataFolder, services.internalUrls)
  opening.defer(() => removePrometheusTargets(settings.dataFolder))
  const closers = opening.move()
  const close = async (): Promise<void> => {
    lock.markStopping()
    await closers.disposeAsync()
  }
  return { services, log, createLog, lost, closers, close }
}

/** Before the services are composed: what is made earlier is neither traced nor measured. */
const openTelemetry = async (env: Environment, log: Logger, closers: AsyncDisposableStack): Promise<void> => {
  const telemetry = await startTelemetry({
    service: 'merx',
    measured: ['auth', 'core', 'metrics', 'console'],
    config: loadConfig(telemetryFields, env),
    log,
  })
  closers.defer(() => telemetry.close())
}

const openLog = (settings: Settings, closers: AsyncDisposableStack): ((service: string) => Logger) => {
  const level = settings.logLevel
  if (settings.merxLog === 'stdout') return (service) => createLogger({ service, level })
  const file = openLogFile(path.join(settings.dataFolder, 'merx.log'))
  closers.defer(() => file.close())
  return (service) => createLogger({ service, level, destination: file })
}
