/** Ways to break one container, each with what mends it. All of them need root, and the network that the engine is in. */
import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Breakable } from '../../faults/history/run-history.ts'
import { fill, makeRoom } from '../../faults/support/full-disk.ts'
import { docker, pidOf } from './containers.ts'

const RUNS_MS_MAX = 60_000
const POLL_MS = 50

/** Its process, once it has another one than `old`; one that has ended is started again by Docker. */
const untilRunning = async (container: string, old = 0): Promise<number> => {
  const deadline = performance.now() + RUNS_MS_MAX
  for (;;) {
    const pid = await pidOf(container)
    if (pid > 0 && pid !== old) return pid
    if (performance.now() > deadline) throw new Error(`${container} was not running in ${RUNS_MS_MAX} ms`)
    await wait(POLL_MS)
  }
}

/** kill -9; Docker starts it again. */
export const kill = (container: string): Breakable => ({
  name: `kill ${container}`,
  break: async () => {
    const pid = await untilRunning(container)
    process.kill(pid, 'SIGKILL')
    return async () => void (await untilRunning(container, pid))
  },
})

/** Stopped in its tracks. */
export const pause = (container: string): Breakable => ({
  name: `pause ${container}`,
  break: async () => {
    await untilRunning(container)
    await docker('pause', container)
    return async () => void (await docker('unpause', container))
  },
})

/** Rules of iptables, by fault; ways within the container stay as they are. */
const NETWORK = {
  /** Connections are reset and refused, on both sides. */
  cut: [
    'INPUT ! -i lo -p tcp -j REJECT --reject-with tcp-reset',
    'OUTPUT -p tcp --tcp-flags RST RST -j ACCEPT',
    'OUTPUT ! -o lo -p tcp -j REJECT --reject-with tcp-reset',
  ],
  /** Nothing comes or goes, and connections stay open. */
  silent: ['INPUT ! -i lo -j DROP', 'OUTPUT ! -o lo -j DROP'],
  /** A tenth of all packets that come is lost, and of those that go; TCP sends them again after 200 ms or more. */
  slow: [
    'INPUT ! -i lo -m statistic --mode random --probability 0.1 -j DROP',
    'OUTPUT ! -o lo -m statistic --mode random --probability 0.1 -j DROP',
  ],
} as const

/** Of a container that ended meanwhile the rules are gone. */
const iptables = async (container: string, ...args: readonly string[]): Promise<void> => {
  const pid = await untilRunning(container)
  await promisify(execFile)('nsenter', [`--net=/proc/${pid}/ns/net`, 'iptables', ...args])
}

const network =
  (name: keyof typeof NETWORK) =>
  (container: string): Breakable => ({
    name: `${name} ${container}`,
    break: async () => {
      for (const rule of NETWORK[name]) await iptables(container, '-A', ...rule.split(' '))
      return () => iptables(container, '-F')
    },
  })

export const cut = network('cut')

export const networkFaults = [cut, network('silent'), network('slow')] as const

/** Of services that were started with libfaketime (infra/containers/compose.histories.yml), which reads this file once a second. */
const setClock = async (container: string, offset: string): Promise<void> => {
  await untilRunning(container)
  await docker('exec', container, 'sh', '-c', `echo ${offset} > /tmp/clock`)
}

/** @param offset `-1h`: an hour back */
export const moveClock = (container: string, offset: string): Breakable => ({
  name: `clock ${offset} ${container}`,
  break: async () => {
    await setClock(container, offset)
    return () => setClock(container, '+0')
  },
})

/** @param disk the folder of a disk of its own */
export const fillDisk = (name: string, disk: string): Breakable => ({
  name: `full disk ${name}`,
  break: async () => {
    fill(disk)
    return async () => makeRoom(disk)
  },
})
