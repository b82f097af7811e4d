/** Without its standby PostgreSQL acknowledges nothing: writes wait, reads are answered, and when it is back the write is there once. */
import { randomUUID } from 'node:crypto'
import { accessToken, connect } from '../../support/connect.ts'
import { ADDRESS } from '../../support/sell.ts'
import { send } from '../../support/send.ts'
import { unless, type Check } from '../support/check.ts'
import { docker } from '../support/containers.ts'
import { countInCore, isFollowed, openSystem } from '../support/system.ts'

const PRIMARY = 'merx-postgres-1'
const STANDBY = 'merx-postgres-2-1'
/** Longer than a statement may take (STATEMENT_TIMEOUT_MS), which does not end the wait of a commit. */
const PATIENCE_MS = 12_000

export const standby: Check = {
  name: 'standby',
  title: 'nothing is acknowledged that the standby does not have',
  run: async () => {
    const token = await accessToken('integration')
    const { addresses } = await openSystem()
    const mark = randomUUID()
    const body = { data: { type: 'addresses', attributes: { ...ADDRESS, line_1: mark } } }
    const headers = { 'Idempotency-Key': `"${mark}"` }
    const write = () => connect().core('addresses', { token, method: 'POST', headers, body })
    const isSynchronous = await isFollowed(PRIMARY, 'postgres_2')
    await docker('kill', STANDBY)
    let early: number | undefined
    let read: number
    try {
      early = await send({
        method: 'POST',
        url: `${addresses.core}/api/addresses`,
        headers: {
          Accept: 'application/vnd.api+json',
          'Content-Type': 'application/vnd.api+json',
          Authorization: `Bearer ${token}`,
          ...headers,
        },
        body: JSON.stringify(body),
        from: connect().address,
        timeoutMs: PATIENCE_MS,
      }).then(
        ({ status }) => status,
        () => undefined,
      )
      read = (await connect().core('orders?page[size]=1', { token })).status
    } finally {
      await docker('start', STANDBY)
    }
    let last = await write()
    for (let attempt = 0; last.status === 409 && attempt < 50; attempt += 1) last = await write()
    const rows = await countInCore('SELECT count(*)::int AS count FROM addresses WHERE line_1 = $1', [mark])
    return {
      figures: `a write: ${early ?? `no answer in ${PATIENCE_MS / 1_000} s`}; a read: ${read}; the write repeated afterwards: ${last.status}, ${rows} row`,
      wrong: [
        ...unless(isSynchronous, 'no standby follows synchronously'),
        ...unless(
          early === undefined || early >= 500,
          `a write was answered ${early ?? ''} without the standby`,
        ),
        ...unless(read === 200, `a read was answered ${read} without the standby`),
        ...unless(last.status === 201 && rows === 1, `repeated: ${last.status}, ${rows} rows`),
      ],
    }
  },
}
