/** The containers of docker-compose.yml with compose.replicas.yml over it, through Docker's own command line. */
import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ServiceName } from '../../faults/support/service-process.ts'

const PROJECT = 'merx'
const OUTPUT_MAX_BYTES = 256 * 1024 * 1024
const COMMAND_MS_MAX = 60_000
const HEALTHY_MS_MAX = 120_000
const POLL_MS = 100

const run = promisify(execFile)

/** What the command printed. @throws Error with what it said when it fails, or takes longer than a minute */
export const docker = async (...args: readonly string[]): Promise<string> =>
  (await run('docker', args, { maxBuffer: OUTPUT_MAX_BYTES, timeout: COMMAND_MS_MAX })).stdout.trim()

/** Names of the running containers of a service, in order. */
export const containersOf = async (service: string): Promise<readonly string[]> => {
  const labels = [`project=${PROJECT}`, `service=${service}`, 'oneoff=False']
  const filters = labels.flatMap((label) => ['--filter', `label=com.docker.compose.${label}`])
  const names = await docker('ps', ...filters, '--format', '{{.Names}}')
  return names.split('\n').filter(Boolean).toSorted()
}

/** The address of a container in one of the networks of docker-compose.yml. */
export const addressOf = (container: string, network = 'services'): Promise<string> =>
  docker(
    'inspect',
    '-f',
    `{{(index .NetworkSettings.Networks "${PROJECT}_${network}").IPAddress}}`,
    container,
  )

/** As the host sees it, so that it can be killed as a crash does it. */
export const pidOf = async (container: string): Promise<number> =>
  Number(await docker('inspect', '-f', '{{.State.Pid}}', container))

const until = async (container: string, isHealthy: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + HEALTHY_MS_MAX
  while (!(await isHealthy())) {
    if (performance.now() > deadline) throw new Error(`${container} was not healthy in ${HEALTHY_MS_MAX} ms`)
    await wait(POLL_MS)
  }
}

/** As an operator waits: until Docker says so, which asks a container that has started every few seconds. */
export const untilHealthy = (container: string): Promise<void> =>
  until(
    container,
    async () => (await docker('inspect', '-f', '{{.State.Health.Status}}', container)) === 'healthy',
  )

/** What asks a container whether it is well, of docker-compose.yml or of its image. */
const healthCheckOf = async (container: string): Promise<readonly string[]> => {
  const test = await docker('inspect', '-f', '{{json .Config.Healthcheck.Test}}', container)
  const [kind, ...command] = JSON.parse(test) as readonly string[]
  return kind === 'CMD-SHELL' ? ['sh', '-c', ...command] : command
}

/** Asks it now: what Docker says of one that was only paused or cut off may be as old as the time between two of its checks. */
export const untilWell = async (container: string): Promise<void> => {
  const check = await healthCheckOf(container)
  await until(container, () =>
    docker('exec', container, ...check).then(
      () => true,
      () => false,
    ),
  )
}

interface Line {
  readonly client: string
  readonly to: string
  readonly upstream: string
}

/** How many replicas of a service the gateway led requests of these client addresses to. */
export const replicasThatServed = async (
  service: ServiceName,
  clients: ReadonlySet<string>,
): Promise<number> => {
  const log = await docker('logs', '--since', '5m', `${PROJECT}-gateway-1`)
  const lines = log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
  return new Set(
    lines
      .filter(({ client, to }) => to === service && clients.has(client))
      // a second one in the list took over from the first
      .flatMap(({ upstream }) => upstream.split(', ').slice(-1)),
  ).size
}
