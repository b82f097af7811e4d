/** Processes that hang, end in order, or all end at once. */
import type { Fault } from '../support/run-fault.ts'
import { SERVICES } from '../support/service-process.ts'

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
]
