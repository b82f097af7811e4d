/** The primary of PostgreSQL is lost under sales, and the standby takes over by the commands of the how-to page. */
import { setTimeout as wait } from 'node:timers/promises'
import { accessToken, connect } from '../../support/connect.ts'
import { ADDRESS } from '../../support/sell.ts'
import { tally, unless, type Check } from '../support/check.ts'
import { docker, pidOf } from '../support/containers.ts'
import { runCommands } from '../support/operator.ts'
import { countInCore } from '../support/system.ts'
import { describeLoad, underLoad } from '../support/under-load.ts'

const PRIMARY = 'merx-postgres-1'
const POLL_MS = 50
const RECOVERED_MS_MAX = 60_000

const untilWritten = async (token: string): Promise<void> => {
  const body = { data: { type: 'addresses', attributes: ADDRESS } }
  const deadline = performance.now() + RECOVERED_MS_MAX
  for (;;) {
    const reply = await connect()
      .core('addresses', { token, method: 'POST', body })
      .catch(() => undefined)
    if (reply?.status === 201) return
    if (performance.now() > deadline) throw new Error(`nothing was written in ${RECOVERED_MS_MAX} ms`)
    await wait(POLL_MS)
  }
}

export const failover: Check = {
  name: 'failover',
  title: 'the standby takes over with everything that was acknowledged',
  run: async () => {
    const token = await accessToken('integration')
    let promotedMs = 0
    let writtenMs = 0
    const load = await underLoad(async () => {
      // What Docker would start again by itself, so it is lost before the operator knows.
      const pid = await pidOf(PRIMARY)
      await docker('update', '--restart', 'no', PRIMARY)
      process.kill(pid, 'SIGKILL')
      const since = performance.now()
      await runCommands('failover')
      promotedMs = Math.round(performance.now() - since)
      await untilWritten(token)
      writtenMs = Math.round(performance.now() - since)
    })
    const isStandby = await countInCore('SELECT pg_is_in_recovery()::int AS count', [])
    const unexpected = load.broken.filter(({ outcome }) => outcome !== 503)
    return {
      figures: `promoted and named ${promotedMs} ms after the primary was killed, first write after ${writtenMs} ms; ${describeLoad(load)}`,
      wrong: [
        ...load.wrong,
        ...unless(isStandby === 0, 'the services write to a standby'),
        ...unless(
          unexpected.length === 0,
          `answers meanwhile: ${tally(unexpected.map(({ service, outcome }) => `${service} ${outcome}`))}`,
        ),
      ],
    }
  },
}
