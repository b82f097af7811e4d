/** After a failover the old primary becomes the standby of the new one, by the commands of the how-to page. */
import { setTimeout as wait } from 'node:timers/promises'
import { accessToken, connect } from '../../support/connect.ts'
import { ADDRESS } from '../../support/sell.ts'
import { unless, type Check } from '../support/check.ts'
import { runCommands } from '../support/operator.ts'
import { isFollowed } from '../support/system.ts'

const POLL_MS = 100
const FOLLOWS_MS_MAX = 60_000
const PRIMARY = 'merx-postgres-2-1'

export const rejoin: Check = {
  name: 'rejoin',
  title: 'the old primary becomes the standby of the new one',
  run: async () => {
    const startedAt = performance.now()
    await runCommands('new standby')
    while (!(await isFollowed(PRIMARY, 'postgres_1'))) {
      if (performance.now() - startedAt > FOLLOWS_MS_MAX) throw new Error('nobody follows the new primary')
      await wait(POLL_MS)
    }
    const ms = Math.round(performance.now() - startedAt)
    const reply = await connect().core('addresses', {
      token: await accessToken('integration'),
      method: 'POST',
      body: { data: { type: 'addresses', attributes: ADDRESS } },
    })
    return {
      figures: `synchronous again after ${(ms / 1_000).toFixed(1)} s`,
      wrong: unless(reply.status === 201, `a write is ${reply.status}`),
    }
  },
}
