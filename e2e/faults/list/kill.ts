/** kill -9 of each part, started again at once as a container engine does; and Redis emptied. */
import { Redis } from 'ioredis'
import type { Lab } from '../support/lab.ts'
import type { Fault } from '../support/run-fault.ts'
import { SERVICES, type Restartable } from '../support/service-process.ts'

const killed = (name: string, title: string, part: (lab: Lab) => Restartable): Fault => ({
  name: `kill-${name}`,
  title: `kill -9 of ${title}`,
  inject: (lab) => part(lab).kill(),
  repair: (lab) => part(lab).start(),
})

const flushed: Fault = {
  name: 'flush-redis',
  title: 'Redis emptied, three times',
  lastsMs: 100,
  inject: async (lab) => {
    const redis = new Redis(lab.redis.url)
    try {
      for (let turn = 0; turn < 3; turn += 1) await redis.flushall()
    } finally {
      redis.disconnect()
    }
  },
  repair: () => undefined,
}

export const kills: readonly Fault[] = [
  ...SERVICES.map((name) => killed(name, name, (lab) => lab.services[name])),
  killed('postgres', 'PostgreSQL', (lab) => lab.postgres),
  killed('redis', 'Redis', (lab) => lab.redis),
  killed('engine', 'the analytics engine', (lab) => lab.engine),
  flushed,
]
