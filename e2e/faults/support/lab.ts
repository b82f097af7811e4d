/**
 * The production shape on one machine, every part a process that can be killed and every way between them a proxy that
 * can be slow or cut: gateway (nginx), auth, core, metrics, PostgreSQL, Redis, ClickHouse's stand-in.
 * The demo data is loaded by the one-command system on the same servers before.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '@merx/local-postgres/free-port'
import { startDelayProxy, type DelayProxy } from '@merx/testing/delay-proxy'
import { readDemo, type Demo } from '../../support/demo.ts'
import { launchGateway, type RunningGateway } from '../../support/launch-gateway.ts'
import { launchSystem } from '../../support/launch-system.ts'
import { send } from '../../support/send.ts'
import { openServers, type DiskMegabytes, type LabServers } from './servers.ts'
import { createServiceProcess, SERVICES, type ServiceName, type ServiceProcess } from './service-process.ts'

const DEMO_ORDERS = 300
const READY_TIMEOUT_MS = 60_000
const PREPARE_TIMEOUT_MS = 420_000

export interface LabOptions {
  /** Sizes of disks of their own, for filling them. */
  readonly diskMegabytes?: DiskMegabytes
  /** More environment of every service. */
  readonly env?: Readonly<Record<string, string>>
  /** Root of the sources it starts with; default this checkout. */
  readonly root?: string
  /** Of the demo; default 300. */
  readonly demoOrders?: number
}

/** Where users find each interface, without a slash at the end. */
export type Addresses = Readonly<Record<ServiceName, string>>

/** What clients of a system know. */
export interface PublicSide {
  readonly demo: Demo
  readonly addresses: Addresses
}

export interface Lab extends PublicSide, Pick<LabServers, 'postgres' | 'redis' | 'engine'> {
  readonly folder: string
  readonly gateway: RunningGateway
  /** Those that users reach now. */
  readonly services: Readonly<Record<ServiceName, ServiceProcess>>
  /** The ways from the other services to the internal listeners of auth and core. */
  readonly links: Readonly<Record<'auth' | 'core', DelayProxy>>
  /** What the command line `merx` and further replicas need. */
  readonly environment: Readonly<Record<ServiceName, Readonly<Record<string, string>>>>
  readonly internalUrls: Readonly<Record<ServiceName, string>>
  /** Resolves when every service says it is ready. */
  ready(): Promise<void>
  /**
   * Replaces a service as a rollout does: the new one, from other sources if given, is ready before the gateway and the
   * other services are led to it; then the old one gets SIGTERM and finishes what it has.
   */
  roll(name: ServiceName, root?: string): Promise<void>
  close(): Promise<void>
}

interface LocalSecretsFile {
  readonly service_key: string
  readonly id_secret: string
}

const databasesOf = ({ postgres, redis, engine }: LabServers): Record<string, string> => ({
  AUTH_DATABASE_URL: postgres.databaseUrl('merx_auth'),
  CORE_DATABASE_URL: postgres.databaseUrl('merx_core'),
  REDIS_URL: redis.url,
  CLICKHOUSE_URL: engine.url,
})

/** Migrates and fills the databases, and leaves demo.json and secrets.json in the folder. */
const loadDemo = async (
  folder: string,
  env: Record<string, string>,
  { root, demoOrders = DEMO_ORDERS }: LabOptions,
): Promise<void> => {
  const system = await launchSystem({
    dataDir: folder,
    basePort: await findFreePort(),
    authPort: await findFreePort(),
    env: { ...env, MERX_DEMO_ORDERS: String(demoOrders) },
    timeoutMs: PREPARE_TIMEOUT_MS,
    ...(root === undefined ? {} : { root }),
  })
  await system.stop('SIGTERM')
}

const isReady = async (url: string): Promise<boolean> => {
  const reply = await send({ url: `${url}/health/ready`, from: '127.0.0.1', timeoutMs: 2_000 }).catch(
    () => undefined,
  )
  return reply?.status === 200
}

export const untilReady = async (name: string, url: string): Promise<void> => {
  const deadline = performance.now() + READY_TIMEOUT_MS
  while (!(await isReady(url))) {
    if (performance.now() > deadline) throw new Error(`${name} was not ready in ${READY_TIMEOUT_MS} ms`)
    await wait(50)
  }
}

/** Of what users and services reach now. */
interface Ports {
  readonly public: Record<ServiceName, number>
  readonly internal: Record<ServiceName, number>
}

const takePorts = async (): Promise<Ports> => {
  const take = async () => ({
    auth: await findFreePort(),
    core: await findFreePort(),
    metrics: await findFreePort(),
  })
  return { public: await take(), internal: await take() }
}

const openGateway = async (
  { public: { auth, core, metrics } }: Ports,
  closing: AsyncDisposableStack,
): Promise<RunningGateway> => {
  const gateway = await launchGateway({
    auth: `127.0.0.1:${auth}`,
    core: `127.0.0.1:${core}`,
    metrics: `127.0.0.1:${metrics}`,
  })
  closing.defer(() => gateway.stop())
  return gateway
}

/** The lab has no console. */
export const NOWHERE = '127.0.0.1:9'

/** The settings of the gateway that say where services are. */
const upstreamsOf = ({ public: { auth, core, metrics } }: Ports): Record<string, string> => ({
  GATEWAY_AUTH: `127.0.0.1:${auth}`,
  GATEWAY_CORE: `127.0.0.1:${core}`,
  GATEWAY_METRICS: `127.0.0.1:${metrics}`,
  GATEWAY_CONSOLE: NOWHERE,
})

/** Takes about fifteen seconds. Whatever fails while opening, nothing is left running. */
export const openLab = async (options: LabOptions = {}): Promise<Lab> => {
  await using opening = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'merx-faults-'))
  opening.defer(() => rmSync(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'system')
  mkdirSync(dataDir)
  const servers = await openServers(folder, options.diskMegabytes)
  opening.defer(() => servers.close())
  const databases = databasesOf(servers)
  const keySecret = randomBytes(24).toString('base64url')
  const signing = { KEY_ENCRYPTION_SECRET: keySecret, SIGNING_KEY_BITS: '2048' }
  await loadDemo(dataDir, { ...databases, ...signing }, options)
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as LocalSecretsFile

  const ports = await takePorts()
  const links = {
    auth: await startDelayProxy(() => ports.internal.auth),
    core: await startDelayProxy(() => ports.internal.core),
  }
  for (const link of Object.values(links)) opening.defer(() => link.close())
  const shared = {
    REDIS_URL: servers.redis.url,
    SERVICE_KEY: secrets.service_key,
    RATE_LIMIT_SCALE: '100000',
    AUTH_INTERNAL_URL: `http://127.0.0.1:${links.auth.port}`,
    CORE_INTERNAL_URL: `http://127.0.0.1:${links.core.port}`,
    ...options.env,
  }
  const { AUTH_DATABASE_URL = '', CORE_DATABASE_URL = '', CLICKHOUSE_URL = '' } = databases
  const environment = {
    auth: { ...shared, ...signing, AUTH_DATABASE_URL },
    // receivers of webhooks are on this machine
    core: {
      ...shared,
      CORE_DATABASE_URL,
      ID_SECRET: secrets.id_secret,
      OUTSIDE_ALLOWED_NETWORKS: '127.0.0.0/8',
    },
    metrics: { ...shared, CLICKHOUSE_URL },
  }
  const started: ServiceProcess[] = []
  opening.defer(async () => {
    for (const service of started) await service.kill()
  })
  const serviceOf = (name: ServiceName, at: Ports, root?: string): ServiceProcess => {
    const [port, internalPort] = [at.public[name], at.internal[name]]
    const from = root === undefined ? {} : { root }
    const service = createServiceProcess({
      name,
      port,
      internalPort,
      folder,
      env: environment[name],
      ...from,
    })
    started.push(service)
    return service
  }
  const services = {
    auth: serviceOf('auth', ports, options.root),
    core: serviceOf('core', ports, options.root),
    metrics: serviceOf('metrics', ports, options.root),
  }
  const internalUrl = (name: ServiceName, at = ports): string => `http://127.0.0.1:${at.internal[name]}`
  await Promise.all(SERVICES.map((name) => services[name].start()))
  const ready = async (): Promise<void> => {
    await Promise.all(SERVICES.map((name) => untilReady(name, internalUrl(name))))
  }
  await ready()
  const gateway = await openGateway(ports, opening)
  const roll = async (name: ServiceName, root?: string): Promise<void> => {
    const next = await takePorts()
    const [old, service] = [services[name], serviceOf(name, next, root)]
    await service.start()
    await untilReady(name, internalUrl(name, next))
    ports.public[name] = next.public[name]
    ports.internal[name] = next.internal[name]
    services[name] = service
    await gateway.reload(upstreamsOf(ports))
    await old.stop()
  }
  const { postgres, redis, engine } = servers
  const opened = opening.move()
  return {
    postgres,
    redis,
    engine,
    folder,
    demo: readDemo(dataDir),
    addresses: { auth: gateway.authUrl, core: gateway.baseUrl, metrics: gateway.baseUrl },
    gateway,
    services,
    links,
    environment,
    internalUrls: { auth: internalUrl('auth'), core: internalUrl('core'), metrics: internalUrl('metrics') },
    ready,
    roll,
    close: () => opened.disposeAsync(),
  }
}
