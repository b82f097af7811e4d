/** A second system of its own: what it acknowledged survives kill -9, and the metrics store can be lost. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '@merx/local-postgres/free-port'
import { readDemo, type Demo } from '../support/demo.ts'
import { launchSystem, type RunningSystem } from '../support/launch-system.ts'
import { linkedIds } from '../support/sellable.ts'
import { send, type Reply } from '../support/send.ts'
import { freshAddress } from '../support/source-address.ts'
import type { CollectionDocument, StatsAnswer, TokenBody } from '../support/wire.ts'

const ORDERS = 400

let dataDir = ''
let ports = { basePort: 0, authPort: 0 }
let system: RunningSystem | undefined

const start = async (): Promise<RunningSystem> => {
  system = await launchSystem({
    dataDir,
    ...ports,
    env: { MERX_DEMO_ORDERS: String(ORDERS) },
    timeoutMs: 180_000,
  })
  return system
}

/** Gives the signal that ended it, or null when it ended by itself. */
const stop = async (signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT') => {
  const endedBy = await system?.stop(signal)
  system = undefined
  return endedBy
}

const demo = (): Demo => readDemo(dataDir)

const credential = () => {
  const found = demo().organizations[0]?.environments.test.credentials.integration
  if (found === undefined) throw new Error('no credential')
  return found
}

const call = (
  method: string,
  url: string,
  token: string,
  body?: unknown,
  type = 'application/vnd.api+json',
) =>
  send({
    method,
    url,
    from: freshAddress(),
    headers: {
      Accept: type,
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/vnd.api+json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const askToken = async (): Promise<string> => {
  const body = JSON.stringify({ grant_type: 'client_credentials', ...credential() })
  const url = `${demo().auth_url}/oauth/token`
  const headers = { 'Content-Type': 'application/json' }
  const reply = await send({ method: 'POST', url, headers, body, from: freshAddress() })
  return reply.json<TokenBody>().access_token
}

const orders = async (token: string, query: string): Promise<CollectionDocument> => {
  const reply = await call('GET', `${demo().base_url}/api/orders?${query}`, token)
  if (reply.status !== 200) throw new Error(`orders: ${reply.status} ${reply.text}`)
  return reply.json<CollectionDocument>()
}

const countInMetrics = async (token: string, filter: object, sections: object = {}): Promise<number> => {
  const order = {
    date_from: '2020-01-01T00:00:00Z',
    date_to: '2035-12-31T23:59:59Z',
    date_field: 'created_at',
    ...filter,
  }
  const body = { stats: { field: 'order.id', operator: 'value_count' }, filter: { order, ...sections } }
  const reply = await call(
    'POST',
    `${demo().base_url}/metrics/orders/stats`,
    token,
    body,
    'application/vnd.api.v1+json',
  )
  if (reply.status !== 200) throw new Error(`metrics: ${reply.status} ${reply.text}`)
  return Number(reply.json<StatsAnswer>().data.value)
}

/** Every order that metrics should hold. */
const PLACED = 'page%5Bsize%5D=1&filter%5Bq%5D%5Bstatus_in%5D=placed,approved,cancelled,editing'

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'merx-restart-'))
  ports = { basePort: await findFreePort(), authPort: await findFreePort() }
  await start()
}, 200_000)

afterAll(async () => {
  await stop('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
})

test('kill -9 in the middle of writes loses nothing acknowledged; the second start takes at most 10 s', async () => {
  const token = await askToken()
  const { data } = await orders(
    token,
    'page%5Bsize%5D=6&filter%5Bq%5D%5Bstatus_eq%5D=approved&include=shipping_address',
  )
  const targets = data.map((order) => ({
    order: order.id,
    address: linkedIds(order, 'shipping_address')[0] ?? '',
  }))
  const acknowledged = new Map<string, number>()
  let isRunning = true
  const write = async (address: string): Promise<void> => {
    for (let turn = 1; isRunning; turn += 1) {
      const body = { data: { type: 'addresses', id: address, attributes: { city: `City ${turn}` } } }
      const reply: Reply | undefined = await call(
        'PATCH',
        `${demo().base_url}/api/addresses/${address}`,
        token,
        body,
      ).catch(() => undefined)
      if (reply?.status === 200) acknowledged.set(address, turn)
      else await wait(100)
    }
  }
  const writers = targets.map(({ address }) => write(address))
  await wait(1_500)
  await stop('SIGKILL')
  isRunning = false
  await Promise.all(writers)
  expect(acknowledged.size).toBe(6)

  await start()
  const tokenAfter = await askToken()
  for (const { order, address } of targets) {
    const reply = await call('GET', `${demo().base_url}/api/addresses/${address}`, tokenAfter)
    const { city } = reply.json<{ data: { attributes: { city: string } } }>().data.attributes
    // A later write may have been committed without its answer being read; an earlier value is a loss.
    expect(Number(city.split(' ')[1])).toBeGreaterThanOrEqual(acknowledged.get(address) ?? 0)
    const there = { shipping_address: { cities: { in: [city] } } }
    expect(await countInMetrics(tokenAfter, { ids: { in: [order] } }, there)).toBe(1)
  }
})

test('tokens given before the restart are still valid, and a revoked one is still refused', async () => {
  const token = await askToken()
  const revoked = await send({
    method: 'POST',
    url: `${demo().auth_url}/oauth/revoke`,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...credential(), token }),
    from: freshAddress(),
  })
  expect(revoked.status).toBe(200)
  const kept = await askToken()
  expect(kept).not.toBe(token)
  await stop('SIGKILL')
  await start()
  expect((await call('GET', `${demo().base_url}/api/skus`, kept)).status).toBe(200)
  expect((await call('GET', `${demo().base_url}/api/skus`, token)).status).toBe(401)
})

test('a deleted metrics store is rebuilt from the feed', async () => {
  const token = await askToken()
  const { meta } = await orders(token, PLACED)
  expect(await countInMetrics(token, {})).toBe(meta.record_count)
  await stop('SIGTERM')
  expect(existsSync(join(dataDir, 'analytics'))).toBe(true)
  rmSync(join(dataDir, 'analytics'), { recursive: true })
  await start()
  expect(await countInMetrics(await askToken(), {})).toBe(meta.record_count)
})

test('Ctrl-C ends it by itself, and the next start finds everything', async () => {
  const before = (await orders(await askToken(), PLACED)).meta.record_count
  expect(await stop('SIGINT')).toBeNull()
  await start()
  expect((await orders(await askToken(), PLACED)).meta.record_count).toBe(before)
})

test('no token, secret or password is in any of its logs, and every line of the log is JSON', async () => {
  const token = await askToken()
  await call('GET', `${demo().base_url}/api/skus`, token)
  const { customer, credentials } = demo().organizations[0]?.environments.test ?? {}
  const body = JSON.stringify({
    grant_type: 'password',
    client_id: credentials?.sales_channel.client_id,
    username: customer?.email,
    password: `${customer?.password}-mistyped`,
  })
  const headers = { 'Content-Type': 'application/json' }
  await send({
    method: 'POST',
    url: `${demo().auth_url}/oauth/token?client_secret=in-the-query`,
    headers,
    body,
    from: freshAddress(),
  })
  const logs = readdirSync(dataDir).filter((name) => name.endsWith('.log') && !name.startsWith('start-'))
  expect(logs.length).toBeGreaterThan(0)
  const secrets = [
    token,
    token.split('.')[2] ?? '',
    customer?.password ?? '',
    'in-the-query',
    ...Object.values(credentials ?? {}).map(({ client_secret }) => client_secret),
  ]
  for (const name of logs) {
    const text = readFileSync(join(dataDir, name), 'utf8')
    for (const secret of secrets) expect(text.includes(secret)).toBe(false)
  }
  const lines = readFileSync(join(dataDir, 'merx.log'), 'utf8').trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(10)
  for (const line of lines) expect(JSON.parse(line)).toEqual(expect.any(Object))
  expect(lines.filter((line) => line.includes('"request_id"')).length).toBeGreaterThan(0)
})
