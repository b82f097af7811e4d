/** What only the gateway of production does: unavailable services, maintenance, limits, logs, reloads. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { encodeAnswer, gatewayAnswers } from '@merx/embedded/gen/gateway-answers.ts'
import { send } from '../support/send.ts'
import { startEchoService, type Seen } from './echo-service.ts'
import {
  DOMAIN,
  FOLDER,
  INTERFACES,
  expectAnswer,
  get,
  lab,
  launch,
  services,
  tlsSettings,
  untilLogged,
  useLab,
} from './nginx-lab.ts'
import { jsonOf, sendRaw, statusOf } from './raw.ts'

useLab()

describe('an unavailable service', () => {
  const NOBODY = '127.0.0.1:1'

  test.each(INTERFACES)(
    '$path: 503 in the dialect of $name, from a page too',
    async ({ name, path, side, dialect }) => {
      const gateway = await launch({}, { [name]: NOBODY })
      const reply = await get(`${gateway[side]}${path}`, { Origin: 'https://shop.example' })
      expectAnswer(reply, 'unavailable', dialect)
      expect(reply.headers['access-control-allow-origin']).toBe('*')
    },
  )

  test('takes nothing from the others, and is found again when it is back', async () => {
    const lost = await startEchoService('core')
    const gateway = await launch({}, { core: lost.address })
    expect((await get(`${gateway.baseUrl}/api/skus`)).status).toBe(200)
    await lost.stop()
    expect((await get(`${gateway.baseUrl}/api/skus`)).status).toBe(503)
    expect((await get(`${gateway.baseUrl}/metrics/orders`)).status).toBe(200)
    const back = await startEchoService('core', Number(lost.address.split(':')[1]))
    expect((await get(`${gateway.baseUrl}/api/skus`)).status).toBe(200)
    await back.stop()
  })

  test.each(INTERFACES.slice(0, 3))(
    '$name: one that never answers is given up',
    async ({ path, side, dialect }) => {
      const gateway = await launch({ GATEWAY_READ_TIMEOUT_SECONDS: '1' })
      expectAnswer(await get(`${gateway[side]}${path}?hang`), 'unavailable', dialect)
    },
  )

  test('a write that a service may have seen is not sent twice', async () => {
    const gateway = await launch({ GATEWAY_READ_TIMEOUT_SECONDS: '1' })
    const reply = await send({
      method: 'POST',
      url: `${gateway.baseUrl}/api/orders?hang`,
      body: '{}',
      from: '127.0.0.1',
    })
    expect(reply.status).toBe(503)
    const [line] = await untilLogged(gateway)
    expect(line).toMatchObject({ method: 'POST', status: 503, upstream_status: '504' })
  })
})

describe('maintenance', () => {
  test('of everything, on and off without a reload', async () => {
    const gateway = await launch()
    const switchFile = join(gateway.folder, 'maintenance', 'all')
    writeFileSync(switchFile, '')
    for (const { path, side, dialect } of INTERFACES)
      expectAnswer(await get(`${gateway[side]}${path}`), 'maintenance', dialect)
    rmSync(switchFile)
    for (const { path, side } of INTERFACES) expect((await get(`${gateway[side]}${path}`)).status).toBe(200)
  })

  test('of one service leaves the others', async () => {
    const gateway = await launch()
    writeFileSync(join(gateway.folder, 'maintenance', 'metrics'), '')
    expectAnswer(await get(`${gateway.baseUrl}/metrics/orders/stats`), 'maintenance', 'metrics')
    expect((await get(`${gateway.baseUrl}/api/skus`)).status).toBe(200)
    expect((await get(`${gateway.authUrl}/oauth/token`)).status).toBe(200)
  })
})

describe('limits', () => {
  test.each(INTERFACES)(
    '$path: a body over a megabyte is refused in the dialect',
    async ({ path, side, dialect }) => {
      const gateway = await launch()
      const { port } = new URL(gateway[side])
      const answer = await sendRaw(
        `http://127.0.0.1:${port}`,
        `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\nConnection: close\r\n\r\n`,
      )
      expect(statusOf(answer)).toBe(413)
      expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}\r/i)
      const payload = gatewayAnswers.find(({ name }) => name === 'payload')
      if (payload === undefined) throw new Error('no answer for a payload too large')
      const id = /x-request-id: ([0-9a-f-]{36})/i.exec(answer)?.[1] ?? ''
      expect(jsonOf(answer)).toEqual(encodeAnswer(payload, dialect, id).body)
    },
  )

  test('imports may be ten megabytes and no more', async () => {
    const gateway = await launch()
    const ask = (bytes: number) =>
      sendRaw(
        gateway.baseUrl,
        `POST /api/imports HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${bytes}\r\nConnection: close\r\n\r\n`,
      )
    expect(statusOf(await ask(10_485_761))).toBe(413)
    expect(statusOf(await ask(10_485_760))).toBe(100)
  })

  test('connections to services are kept and used again', async () => {
    const gateway = await launch({ GATEWAY_WORKERS: '1' })
    const numbers = new Set<number>()
    for (let index = 0; index < 30; index += 1)
      numbers.add((await get(`${gateway.baseUrl}/api/skus`)).json<Seen>().connection)
    expect(numbers.size).toBe(1)
  })
})

describe('the access log', () => {
  test('is a JSON object a line, without queries and credentials', async () => {
    const gateway = await launch({ GATEWAY_TRUSTED_HOPS: '127.0.0.1' })
    const reply = await get(`${gateway.baseUrl}/api/files/abc?signature=SECRET1&filter=SECRET2`, {
      Authorization: 'Bearer SECRET3',
      Cookie: 'session=SECRET4',
      Referer: 'https://x/?SECRET5',
      'X-Forwarded-For': '203.0.113.9',
      'User-Agent': 'a "quoted"\tagent',
    })
    expect(reply.status).toBe(200)
    const [line] = await untilLogged(gateway)
    expect(line).toMatchObject({
      service: 'gateway',
      request_id: reply.json<Seen>().requestId,
      client: '203.0.113.9',
      hop: '127.0.0.1',
      method: 'GET',
      path: '/api/files/abc',
      status: 200,
      to: 'core',
      upstream: services.core.address,
      upstream_status: '200',
      completed: 'OK',
    })
    expect(JSON.stringify(line)).not.toContain('SECRET')
  })

  test('nor is a secret in the log of errors', async () => {
    const gateway = await launch({ GATEWAY_READ_TIMEOUT_SECONDS: '1' }, { core: '127.0.0.1:1' })
    await get(`${gateway.baseUrl}/api/skus?token=SECRET`, { Authorization: 'Bearer SECRET' })
    await get(`${gateway.baseUrl}/metrics/orders?hang&token=SECRET`)
    expect(gateway.errorLog()).not.toContain('SECRET')
  })
})

describe('the admin port', () => {
  test('has health and counters, and no interface', async () => {
    const gateway = await launch()
    expect((await get(`${gateway.adminUrl}/health/live`)).json()).toEqual({ status: 'ok' })
    expect((await get(`${gateway.adminUrl}/status`)).text).toMatch(/Active connections: \d+/)
    expect((await get(`${gateway.adminUrl}/api/skus`)).status).toBe(404)
  })
})

describe('GATEWAY_OTHER_HOSTS=refuse', () => {
  test('only names of the domain are answered', async () => {
    const gateway = await launch({ GATEWAY_OTHER_HOSTS: 'refuse' })
    const ask = async (host: string) => (await get(`${gateway.baseUrl}/api/skus`, { Host: host })).status
    expect(await ask(`shop.${DOMAIN}`)).toBe(200)
    for (const host of ['localhost', 'evil.example', `shop.${DOMAIN}.evil.example`, DOMAIN, '127.0.0.1'])
      expect(await ask(host)).toBe(404)
  })
})

describe('a reload', () => {
  interface Outcome {
    readonly status: number
    /** A connection kept from before was closed under the request: nothing of it was answered, so it is asked again. */
    readonly wasClosed: boolean
  }

  /** Node says so itself only of connections that lay idle. */
  const used = new WeakSet<object>()

  const askOver = (agent: Agent, url: string): Promise<Outcome> =>
    new Promise((done, fail) => {
      const outgoing = request(url, { agent }, (incoming) => {
        incoming.resume()
        incoming.on('end', () => done({ status: incoming.statusCode ?? 0, wasClosed: false }))
        incoming.on('error', fail)
      })
      let isReused = false
      outgoing.on('socket', (socket) => {
        isReused = used.has(socket)
        used.add(socket)
      })
      outgoing.on('error', (error) => {
        if (isReused) done({ status: 0, wasClosed: true })
        else fail(error)
      })
      outgoing.end()
    })

  test.each([
    ['a connection a request', false],
    ['connections kept', true],
  ])(
    'under load fails no request: %s',
    async (_name, keepAlive) => {
      const gateway = await launch()
      // With a bound on sockets Node would keep connections even where it is told not to.
      const agent = new Agent({ keepAlive, maxSockets: keepAlive ? 20 : Infinity })
      const statuses = new Map<number, number>()
      let isOver = false
      const client = async (): Promise<void> => {
        while (!isOver) {
          const url = `${gateway.baseUrl}/api/skus${Math.random() < 0.1 ? '?slow' : ''}`
          let outcome = await askOver(agent, url)
          for (let tries = 0; outcome.wasClosed && tries < 5; tries += 1) outcome = await askOver(agent, url)
          statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1)
        }
      }
      const clients = Array.from({ length: 20 }, client)
      for (let times = 0; times < 4; times += 1) {
        await wait(400)
        await gateway.reload()
      }
      await wait(600)
      isOver = true
      await Promise.all(clients)
      agent.destroy()
      expect([...statuses.keys()]).toEqual([200])
      expect(statuses.get(200)).toBeGreaterThan(200)
    },
    30_000,
  )

  test('takes new settings, and keeps the old ones when the new are wrong', async () => {
    const gateway = await launch()
    const host = { Host: 'evil.example' }
    expect((await get(`${gateway.baseUrl}/api/skus`, host)).status).toBe(200)
    await gateway.reload({ GATEWAY_OTHER_HOSTS: 'refuse' })
    expect((await get(`${gateway.baseUrl}/api/skus`, host)).status).toBe(404)
    await expect(gateway.reload({ GATEWAY_OTHER_HOSTS: 'some' })).rejects.toThrow(
      'GATEWAY_OTHER_HOSTS is "some"',
    )
    await expect(gateway.reload({ GATEWAY_TRUSTED_HOPS: '300.1.1.1' })).rejects.toThrow(
      'nginx does not accept',
    )
    expect((await get(`${gateway.baseUrl}/api/skus`, { Host: `shop.${DOMAIN}` })).status).toBe(200)
  })

  test('takes a new certificate', async () => {
    const gateway = await launch(tlsSettings())
    const before = readFileSync(join(lab.certificates, 'tls.crt'), 'utf8')
    rmSync(join(lab.certificates, 'tls.crt'))
    execFileSync(join(FOLDER, 'make-certificate.sh'), [lab.certificates, DOMAIN])
    expect(readFileSync(join(lab.certificates, 'tls.crt'), 'utf8')).not.toBe(before)
    await gateway.reload()
    const socket = connectTls({ port: gateway.tlsPort, host: '127.0.0.1', rejectUnauthorized: false })
    await new Promise((done) => socket.once('secureConnect', done))
    const served = socket.getPeerCertificate().raw.toString('base64')
    socket.destroy()
    const made = readFileSync(join(lab.certificates, 'tls.crt'), 'utf8').replaceAll(/-----[^-]+-----|\n/g, '')
    expect(served).toBe(made)
  })
})
