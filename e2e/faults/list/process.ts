/** Processes that hang, all end at once, or may open nothing more. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import type { Lab } from '../support/lab.ts'
import type { Fault } from '../support/run-fault.ts'
import { SERVICES } from '../support/service-process.ts'

const DESCRIPTORS = '20000'

const pidsOf = ({ services }: Lab): readonly number[] =>
  SERVICES.flatMap((name) => services[name].pid() ?? [])

const limitDescriptors = (pid: number, limit: string): void =>
  void execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`], { stdio: 'pipe' })

export const processFaults: readonly Fault[] = [
  ...SERVICES.map((name): Fault => ({
    name: `hang-${name}`,
    title: `${name} stopped in its tracks (SIGSTOP) for three seconds`,
    lastsMs: 3_000,
    inject: (lab) => lab.services[name].signal('SIGSTOP'),
    repair: (lab) => lab.services[name].signal('SIGCONT'),
  })),
  {
    name: 'kill-everything',
    title: 'kill -9 of all services and servers at once, as a power cut',
    inject: async ({ services, postgres, redis, engine }) => {
      await Promise.all([...Object.values(services), postgres, redis, engine].map((part) => part.kill()))
    },
    repair: async ({ services, postgres, redis, engine }) => {
      await Promise.all([postgres, redis, engine].map((part) => part.start()))
      await Promise.all(Object.values(services).map((part) => part.start()))
    },
  },
  {
    name: 'no-descriptors',
    title: 'no service may open another file or connection',
    lastsMs: 3_000,
    inject: (lab) => {
      for (const pid of pidsOf(lab)) limitDescriptors(pid, String(readdirSync(`/proc/${pid}/fd`).length))
    },
    repair: (lab) => {
      for (const pid of pidsOf(lab)) limitDescriptors(pid, DESCRIPTORS)
    },
  },
]
