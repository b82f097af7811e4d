/** Slow, silent and cut ways between the parts. */
import type { DelayProxy } from '@merx/testing/delay-proxy'
import type { Lab } from '../support/lab.ts'
import type { Fault } from '../support/run-fault.ts'
import type { ServiceName } from '../support/service-process.ts'

type LinkOf = (lab: Lab) => DelayProxy

const SLOW_MS = 200
const LASTS_MS = 4_000

const slow = (name: string, title: string, link: LinkOf): Fault => ({
  name: `slow-${name}`,
  title: `${title}: every answer ${SLOW_MS} ms late`,
  lastsMs: LASTS_MS,
  inject: (lab) => link(lab).delay(SLOW_MS),
  repair: (lab) => link(lab).delay(0),
})

/** Nothing comes back and nothing is hung up on; what was lost on the way is gone, so the connections are cut afterwards. */
const silent = (name: string, title: string, link: LinkOf): Fault => ({
  name: `silent-${name}`,
  title: `${title}: no answer, connections stay open`,
  lastsMs: LASTS_MS,
  inject: (lab) => link(lab).delay(Infinity),
  repair: (lab) => {
    link(lab).delay(0)
    link(lab).cut()
  },
})

const cut = (name: string, title: string, link: LinkOf): Fault => ({
  name: `cut-${name}`,
  title: `${title}: connections cut and refused`,
  lastsMs: LASTS_MS,
  inject: (lab) => link(lab).refuse(true),
  repair: (lab) => link(lab).refuse(false),
})

const ways: readonly (readonly [string, string, LinkOf])[] = [
  ['postgres', 'the way to PostgreSQL', (lab) => lab.postgres.link],
  ['redis', 'the way to Redis', (lab) => lab.redis.link],
  ['engine', 'the way to the analytics engine', (lab) => lab.engine.link],
  ['auth', 'the way from core and metrics to auth', (lab) => lab.links.auth],
  ['core', 'the way from auth and metrics to core', (lab) => lab.links.core],
]

/** A process that cannot judge a token is not ready, so the old one goes on. */
const rollWithoutAuth = (name: ServiceName): Fault => {
  let rolling: Promise<void> | undefined
  let hasTakenOver = false
  let wasTooSoon = false
  return {
    name: `roll-${name}-without-auth`,
    title: `a new process of ${name} is to take over while it cannot reach auth`,
    isUnseen: true,
    lastsMs: LASTS_MS,
    inject: (lab) => {
      hasTakenOver = false
      lab.links.auth.refuse(true)
      rolling = lab.roll(name).then(() => {
        hasTakenOver = true
      })
    },
    repair: async (lab) => {
      wasTooSoon = hasTakenOver
      lab.links.auth.refuse(false)
      await rolling
    },
    check: async () => (wasTooSoon ? [`the new ${name} took over before it could judge a token`] : []),
  }
}

export const networkFaults: readonly Fault[] = [
  ...[slow, silent, cut].flatMap((make) => ways.map(([name, title, link]) => make(name, title, link))),
  rollWithoutAuth('core'),
  rollWithoutAuth('metrics'),
]
