/** The containers of docker-compose.yml with compose.replicas.yml and compose.histories.yml over it, as a history breaks them. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Breakable, BreakableSystem } from '../../faults/history/run-history.ts'
import { SERVICES } from '../../faults/support/service-process.ts'
import { fillDisk, kill, moveClock, networkFaults, pause } from './break-container.ts'
import { containersOf, untilWell } from './containers.ts'
import { isFollowed, openSystem } from './system.ts'

const SERVERS = ['gateway', 'redis', 'redis-2', 'redis-3', 'postgres', 'postgres-2', 'clickhouse']
const PRIMARY = 'merx-postgres-1'
const STANDBY = 'postgres_2'
const CLOCKS = ['-1h', '+3h']
const FOLLOWS_MS_MAX = 60_000
const POLL_MS = 100

const untilFollowed = async (): Promise<void> => {
  const deadline = performance.now() + FOLLOWS_MS_MAX
  while (!(await isFollowed(PRIMARY, STANDBY))) {
    if (performance.now() > deadline) throw new Error(`nobody follows ${PRIMARY}`)
    await wait(POLL_MS)
  }
}

const containersOfAll = async (services: readonly string[]): Promise<readonly string[]> =>
  (await Promise.all(services.map(containersOf))).flat()

const untilAllWork = async (): Promise<void> => {
  for (const container of await containersOfAll([...SERVICES, ...SERVERS])) await untilWell(container)
  await untilFollowed()
}

/** By kind, so that each kind is drawn as often as another. */
const breakablesOf = (
  services: readonly string[],
  servers: readonly string[],
  disks: string,
): readonly (readonly Breakable[])[] => {
  const all = [...services, ...servers]
  return [
    ...[kill, pause, ...networkFaults].map((fault) => all.map(fault)),
    CLOCKS.flatMap((offset) => services.map((container) => moveClock(container, offset))),
    ['postgres', 'postgres-2', 'clickhouse'].map((name) => fillDisk(name, `${disks}/${name}`)),
  ]
}

/** The variable MERX_DISKS says where the small disks of the servers are (infra/containers/disks.sh). */
export const openContainers = async (): Promise<BreakableSystem> => {
  const disks = process.env['MERX_DISKS']
  if (disks === undefined) throw new Error('MERX_DISKS must say where the disks of the servers are')
  const kinds = breakablesOf(await containersOfAll(SERVICES), await containersOfAll(SERVERS), disks)
  await untilAllWork()
  return {
    publicSide: await openSystem(),
    draw: (random) => random.pick(random.pick(kinds)),
    ready: async () => {
      await untilAllWork()
      return openSystem()
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}
