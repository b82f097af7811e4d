/** docs/how-to/backup-and-restore.md, its commands word for word, on a one-command system of its own. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '@merx/local-postgres/free-port'
import { readDemo } from '../support/demo.ts'
import { launchSystem, type RunningSystem } from '../support/launch-system.ts'
import { send, type Reply } from '../support/send.ts'
import { freshAddress } from '../support/source-address.ts'
import type { CollectionDocument, ResourceDocument, SearchAnswer, TokenBody } from '../support/wire.ts'

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/how-to/backup-and-restore.md'), 'utf8')
const START_MS_MAX = 240_000
const SEEN_MS_MAX = 30_000

/** The block of commands behind a mark of the page. */
const commands = (mark: string): string => {
  const found = new RegExp(`<!-- ${mark}: [^>]*-->\n\`\`\`sh\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1]
  if (found === undefined) throw new Error(`the page has no commands for ${mark}`)
  return found
}

let folder = ''
let ports = { basePort: 0, authPort: 0 }
let system: RunningSystem | undefined

const dataDir = (): string => join(folder, '.merx')

const start = async (): Promise<void> => {
  const env = { MERX_DEMO_ORDERS: '60' }
  system = await launchSystem({ dataDir: dataDir(), ...ports, env, timeoutMs: START_MS_MAX })
}

const stop = async (): Promise<void> => {
  await system?.stop('SIGINT')
  system = undefined
}

const perform = (mark: string): void => {
  const done = spawnSync('sh', ['-e', '-c', commands(mark)], { cwd: folder, encoding: 'utf8' })
  expect({ status: done.status, stderr: done.stderr }).toEqual({ status: 0, stderr: '' })
}

const ask = (method: string, path: string, token: string, body?: unknown): Promise<Reply> => {
  const { base_url } = readDemo(dataDir())
  const type = path.startsWith('/metrics') ? 'application/vnd.api.v1+json' : 'application/vnd.api+json'
  return send({
    method,
    url: `${base_url}${path}`,
    from: freshAddress(),
    headers: { Accept: type, Authorization: `Bearer ${token}`, 'Content-Type': 'application/vnd.api+json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

const askToken = async (): Promise<string> => {
  const { auth_url, organizations } = readDemo(dataDir())
  const reply = await send({
    method: 'POST',
    url: `${auth_url}/oauth/token`,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      ...organizations[0]?.environments.test.credentials.integration,
    }),
    from: freshAddress(),
  })
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  return reply.json<TokenBody>().access_token
}

const setReference = async (token: string, id: string, reference: string): Promise<void> => {
  const body = { data: { type: 'orders', id, attributes: { reference } } }
  expect((await ask('PATCH', `/api/orders/${id}`, token, body)).status).toBe(200)
}

const referenceOf = async (token: string, id: string): Promise<unknown> => {
  const reply = await ask('GET', `/api/orders/${id}`, token)
  expect(reply.status).toBe(200)
  return reply.json<ResourceDocument>().data.attributes['reference']
}

const inMetrics = async (token: string, reference: string): Promise<readonly unknown[]> => {
  const dates = {
    date_from: '2020-01-01T00:00:00Z',
    date_to: '2035-12-31T23:59:59Z',
    date_field: 'created_at',
  }
  const reply = await ask('POST', '/metrics/orders/search', token, {
    search: { fields: ['order.id'], limit: 10 },
    filter: { order: { ...dates, references: { in: [reference] } } },
  })
  expect(reply.status).toBe(200)
  return reply.json<SearchAnswer>().data.map((record) => record['id'])
}

const untilInMetrics = async (token: string, reference: string, ids: readonly string[]): Promise<void> => {
  const deadline = performance.now() + SEEN_MS_MAX
  while (performance.now() < deadline && (await inMetrics(token, reference)).length !== ids.length)
    await wait(50)
  expect(await inMetrics(token, reference)).toEqual(ids)
}

const someOrder = async (token: string): Promise<string> => {
  const query = 'page%5Bsize%5D=1&filter%5Bq%5D%5Bstatus_eq%5D=approved'
  const { data } = (await ask('GET', `/api/orders?${query}`, token)).json<CollectionDocument>()
  if (data[0] === undefined) throw new Error('the demo has no approved order')
  return data[0].id
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merx-backup-'))
  await mkdir(dataDir())
  ports = { basePort: await findFreePort(), authPort: await findFreePort() }
  await start()
}, START_MS_MAX)

afterAll(async () => {
  await stop()
  await rm(folder, { recursive: true, force: true })
})

test(
  'what was acknowledged before the backup is back, with its ids, credentials and tokens; what came after is gone everywhere',
  async () => {
    const token = await askToken()
    const order = await someOrder(token)
    await setReference(token, order, 'before-the-backup')
    await stop()
    perform('backup')
    perform('rebuild')

    await start()
    await untilInMetrics(token, 'before-the-backup', [order]) // out of the feed, the store was gone
    await setReference(token, order, 'after-the-backup')
    await untilInMetrics(token, 'after-the-backup', [order])
    await stop()
    perform('restore')

    await start()
    expect(await referenceOf(token, order)).toBe('before-the-backup') // the token of before, the id of before
    expect(await referenceOf(await askToken(), order)).toBe('before-the-backup')
    await untilInMetrics(token, 'before-the-backup', [order])
    expect(await inMetrics(token, 'after-the-backup')).toEqual([])

    // And it goes on: a change after the restore reaches metrics.
    await setReference(token, order, 'after-the-restore')
    await untilInMetrics(token, 'after-the-restore', [order])
  },
  4 * START_MS_MAX,
)
