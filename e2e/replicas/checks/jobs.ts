/** Jobs of all core at work while one of them is killed: each line of each import is written once. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { accessToken, connect } from '../../support/connect.ts'
import { ADDRESS } from '../../support/sell.ts'
import type { ResourceDocument, ResourceObject } from '../../support/wire.ts'
import { tally, unless, type Check } from '../support/check.ts'
import { containersOf, pidOf, untilHealthy } from '../support/containers.ts'
import { countInCore } from '../support/system.ts'

const IMPORTS = 12
const LINES = 2_000
const KILL_AFTER_MS = 1_000
const POLL_MS = 500
const DONE_MS_MAX = 180_000

/** Addresses have no key, so a line that is written twice is two rows. */
const startImport = async (token: string, mark: string): Promise<string> => {
  const inputs = Array.from({ length: LINES }, (_, line) => ({
    ...ADDRESS,
    line_1: mark,
    line_2: String(line),
  }))
  const reply = await connect().core('imports', {
    token,
    method: 'POST',
    body: { data: { type: 'imports', attributes: { resource_type: 'addresses', inputs } } },
  })
  if (reply.status !== 201) throw new Error(`an import was answered ${reply.status}: ${reply.text}`)
  return reply.json<ResourceDocument>().data.id
}

const untilDone = async (token: string, id: string): Promise<ResourceObject> => {
  const deadline = performance.now() + DONE_MS_MAX
  for (;;) {
    const reply = await connect().core(`imports/${id}`, { token })
    if (reply.status === 200) {
      const { data } = reply.json<ResourceDocument>()
      if (!['pending', 'in_progress'].includes(String(data.attributes['status']))) return data
    }
    if (performance.now() > deadline) throw new Error(`the import ${id} did not end in ${DONE_MS_MAX} ms`)
    await wait(POLL_MS)
  }
}

export const jobs: Check = {
  name: 'jobs',
  title: 'what jobs do is done once, also when a core that works on some is killed',
  run: async () => {
    const token = await accessToken('integration')
    const mark = randomUUID()
    const startedAt = performance.now()
    const ids = await Promise.all(Array.from({ length: IMPORTS }, () => startImport(token, mark)))
    await wait(KILL_AFTER_MS)
    const victim = (await containersOf('core'))[0] ?? ''
    const open = await countInCore(
      `SELECT count(*)::int AS count FROM imports WHERE status NOT IN ('completed', 'interrupted')`,
      [],
    )
    process.kill(await pidOf(victim), 'SIGKILL')
    const done = await Promise.all(ids.map((id) => untilDone(token, id)))
    const ms = Math.round(performance.now() - startedAt)
    await untilHealthy(victim)
    const [rows, lines] = await Promise.all([
      countInCore('SELECT count(*)::int AS count FROM addresses WHERE line_1 = $1', [mark]),
      countInCore('SELECT count(DISTINCT line_2)::int AS count FROM addresses WHERE line_1 = $1', [mark]),
    ])
    const statuses = done.map(({ attributes }) => String(attributes['status']))
    return {
      figures:
        `${IMPORTS} imports of ${LINES} lines, one core killed while ${open} were open: ` +
        `${rows} rows in ${(ms / 1_000).toFixed(0)} s`,
      wrong: [
        ...unless(open > 0, 'every import had ended before the core was killed'),
        ...unless(
          statuses.every((status) => status === 'completed'),
          `imports ended as ${tally(statuses)}`,
        ),
        ...unless(rows === IMPORTS * LINES, `${rows} rows of ${IMPORTS * LINES} lines`),
        ...unless(lines === LINES, `${lines} lines of ${LINES} are there`),
      ],
    }
  },
}
