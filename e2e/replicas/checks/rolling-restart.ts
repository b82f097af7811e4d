/** Every process of every service is restarted, one after the other, under sales. */
import { SERVICES } from '../../faults/support/service-process.ts'
import { tally, unless, type Check } from '../support/check.ts'
import { containersOf, docker, untilHealthy } from '../support/containers.ts'
import { describeLoad, underLoad } from '../support/under-load.ts'

/** Longer than a process takes to finish what it has. */
const STOP_SECONDS = '25'

export const rollingRestart: Check = {
  name: 'rolling-restart',
  title: 'restarting one replica after the other costs no request',
  run: async () => {
    let restarted = 0
    const load = await underLoad(async () => {
      for (const service of SERVICES)
        for (const container of await containersOf(service)) {
          await docker('restart', '-t', STOP_SECONDS, container)
          await untilHealthy(container)
          restarted += 1
        }
    })
    return {
      figures: `${restarted} restarted; ${describeLoad(load)}`,
      wrong: [
        ...load.wrong,
        ...unless(
          load.broken.length === 0,
          `answers while restarting: ${tally(load.broken.map(({ service, outcome }) => `${service} ${outcome}`))}`,
        ),
      ],
    }
  },
}
