/** The lab with a second process of each service, and those of its faults that a second one may stand in for, or that all parts share. */
import { faults } from '../list/index.ts'
import { openLab, type Lab } from '../support/lab.ts'
import type { Fault } from '../support/run-fault.ts'
import { openReplicas } from './replicas.ts'
import type { Breakable, BreakableSystem } from './run-history.ts'

const DISK_MEGABYTES = { engine: 192, postgres: 1024 }

const DRAWN =
  /^(?:(?:kill|hang|slow|silent|cut)-(?:auth|core|metrics|postgres|redis|engine)|clock-(?:back|forward|back-auth|forward-core)|end-connections|read-only-postgres|no-connections|locked-tables|flush-redis|full-disk|full-database-disk|kill-nginx-workers)$/

/** @throws Error when this machine cannot show one of them */
const drawnFor = (lab: Lab): readonly Fault[] => {
  const drawn = faults.filter(({ name }) => DRAWN.test(name))
  for (const fault of drawn) {
    const reason = fault.missing?.(lab)
    if (reason !== undefined) throw new Error(`${fault.name} cannot be shown here: ${reason}`)
  }
  return drawn
}

const toBreakable = (lab: Lab, fault: Fault): Breakable => ({
  name: fault.name,
  break: async () => {
    const undo = await fault.prepare?.(lab)
    await fault.inject(lab)
    return async () => {
      await fault.repair(lab)
      await undo?.()
    }
  },
})

export const openProcesses = async (): Promise<BreakableSystem> => {
  await using opening = new AsyncDisposableStack()
  const lab = await openLab({ diskMegabytes: DISK_MEGABYTES })
  opening.defer(() => lab.close())
  const drawn = drawnFor(lab)
  opening.use(await openReplicas(lab))
  const opened = opening.move()
  return {
    publicSide: lab,
    draw: (random) => toBreakable(lab, random.pick(drawn)),
    ready: async () => {
      await lab.ready()
      return lab
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
