/** `merx webhooks`: what it asks core, and what a person at the terminal sees, whatever core answers. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen, type Listening } from '@merx/http/listen'
import { findFreePort } from '@merx/local-postgres/free-port'
import { runMerx } from '../../src/cli/run-merx.ts'
import { toPublicId } from '../../src/store/public-ids.ts'
import { startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { runSql } from '../support/sql.ts'

const SERVICE_KEY = 'a key for tests only, of core'
const ID = 'xKjQpHpQRa'
const FAILING = {
  ...{ id: ID, name: null, topic: 'orders.place', callback_url: 'https://erp.test/hook', disabled_at: null },
  ...{ circuit_state: 'open', circuit_failure_count: 31, waiting: 2, held: 7, failed: 5 },
}

let answer: readonly [status: number, body: unknown]
let asked: (readonly [where: string, body: unknown])[]
let core: Listening
let system: TestSystem

const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
  const sent = await text(req)
  asked.push([`${req.method ?? ''} ${req.url ?? ''}`, sent === '' ? undefined : JSON.parse(sent)])
  const isKnown = req.headers.authorization === `Bearer ${SERVICE_KEY}`
  const [status, body] = isKnown ? answer : [401, {}]
  res
    .writeHead(status, { 'Content-Type': 'application/json' })
    .end(status === 204 ? '' : JSON.stringify(body))
}

beforeAll(async () => {
  core = await listen((req, res) => void serve(req, res), { host: '127.0.0.1', port: 0 })
  system = await startTestSystem({ name: 'merx_webhooks' })
})
afterAll(async () => {
  await core.close()
  await system.close()
})
beforeEach(() => {
  answer = [200, { count: 3 }]
  asked = []
})

const merx = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const printed = { out: '', err: '' }
  const unused = () => Promise.reject(new Error('nobody is asked'))
  const code = await runMerx(['webhooks', ...args], {
    env: { AUTH_DATABASE_URL: system.databaseUrl, CORE_INTERNAL_URL: core.url, SERVICE_KEY, ...env },
    out: (line) => void (printed.out += line),
    err: (line) => void (printed.err += line),
    isInteractive: false,
    ...{ ask: unused, askHidden: unused, readInput: unused },
  })
  return { code, ...printed }
}

describe('merx webhooks list', () => {
  const organization = async () => {
    const [{ slug, id } = { slug: '', id: 0 }] = await runSql<{ slug: string; id: string | number }>(
      system.databaseUrl,
      'SELECT slug, id FROM organizations ORDER BY id LIMIT 1',
    )
    return { slug, id: toPublicId('organizations', BigInt(id)) }
  }

  it('shows what waits and fails in an environment', async () => {
    answer = [
      200,
      { webhooks: [FAILING, { ...FAILING, id: 'aBcDeFgHiJ', disabled_at: '2026-01-01T00:00:00.000Z' }] },
    ]
    const { slug, id } = await organization()
    const { code, out, err } = await merx(['list', slug, '--mode', 'live'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/ID +TOPIC +URL +STATE +FAILURES IN A ROW +WAITING +HELD +FAILED/)
    expect(out).toMatch(/xKjQpHpQRa +orders\.place +https:\/\/erp\.test\/hook +circuit open +31 +2 +7 +5/)
    expect(out).toMatch(/aBcDeFgHiJ .* disabled /)
    expect(asked).toEqual([[`GET /internal/webhooks?organization_id=${id}&mode=live`, undefined]])
    const { out: json } = await merx(['list', slug, '--mode', 'live', '--json'])
    expect((JSON.parse(json) as unknown[])[0]).toEqual(FAILING)
  })

  it.each([
    ['no mode', [], /--mode/],
    ['a mode that is none', ['--mode', 'both'], /test, live/],
  ])('refuses %s with exit code 2', async (_name, options, message) => {
    const { slug } = await organization()
    expect(await merx(['list', slug, ...options])).toMatchObject({
      code: 2,
      err: expect.stringMatching(message) as unknown,
    })
    expect(asked).toEqual([])
  })

  it('reports an organization that there is none of', async () => {
    expect(await merx(['list', 'nobody', '--mode', 'test'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('nobody') as unknown,
    })
  })
})

describe('merx webhooks resend', () => {
  it.each([
    ['what failed', [], {}],
    ['one event', ['--event', 'vQzNtMxYbc'], { event_id: 'vQzNtMxYbc' }],
    ['what was since then', ['--from', '2026-01-31T12:00:00Z'], { from: '2026-01-31T12:00:00.000Z' }],
    [
      'what was between two instants',
      ['--from', '2026-01-31', '--to', '2026-02-01T01:00:00+01:00'],
      { from: '2026-01-31T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
    ],
  ])('asks for %s and says how many', async (_name, options, body) => {
    expect(await merx(['resend', ID, ...options])).toEqual({
      code: 0,
      out: 'webhook     xKjQpHpQRa\nsent again  3\n',
      err: '',
    })
    expect(asked).toEqual([[`POST /internal/webhooks/${ID}/resend`, body]])
  })

  it('gives programs JSON', async () => {
    const { out } = await merx(['resend', ID, '--json'])
    expect(JSON.parse(out)).toEqual({ webhook: ID, deliveries: 3 })
  })

  it.each([
    ['an event and a time', ['--event', 'vQzNtMxYbc', '--from', '2026-01-31'], /not both/],
    ['an end alone', ['--to', '2026-01-31'], /--to needs --from/],
    ['an instant that is none', ['--from', 'yesterday'], /2026-01-31T12:00:00Z/],
  ])('refuses %s with exit code 2', async (_name, options, message) => {
    expect(await merx(['resend', ID, ...options])).toMatchObject({
      code: 2,
      err: expect.stringMatching(message) as unknown,
    })
    expect(asked).toEqual([])
  })
})

describe('merx webhooks reset-circuit', () => {
  it('closes it', async () => {
    answer = [204, undefined]
    expect(await merx(['reset-circuit', ID])).toEqual({
      code: 0,
      out: 'webhook  xKjQpHpQRa\ncircuit  closed\n',
      err: '',
    })
    expect(asked).toEqual([[`POST /internal/webhooks/${ID}/reset-circuit`, {}]])
  })
})

describe.each([['resend'], ['reset-circuit']])('merx webhooks %s reports', (command) => {
  it.each([
    ['that there is none of the id', 404, 1],
    ['why core refuses it', 422, 2],
  ])('%s', async (_name, status, code) => {
    answer = [status, { errors: [{ title: 'No', detail: `There is no webhook '${ID}'.` }] }]
    expect(await merx([command, ID])).toEqual({ code, out: '', err: `merx: There is no webhook '${ID}'.\n` })
  })

  it('that core fails', async () => {
    answer = [500, { errors: [{ detail: 'inside' }] }]
    expect(await merx([command, ID])).toEqual({
      code: 1,
      out: '',
      err: 'merx: Core answers 500; its log says why.\n',
    })
  })

  it('that the key is not taken', async () => {
    const { code, err } = await merx([command, ID], { SERVICE_KEY: 'a key of other services' })
    expect([code, err]).toEqual([1, 'merx: Core does not take this SERVICE_KEY.\n'])
  })

  it('that core does not answer', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`
    const { code, err } = await merx([command, ID], { CORE_INTERNAL_URL: url })
    expect([code, err]).toEqual([1, `merx: Core does not answer at ${url}.\n`])
  })

  it('an invalid address, with exit code 2', async () => {
    expect(await merx([command, ID], { CORE_INTERNAL_URL: 'core:3102' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('CORE_INTERNAL_URL') as unknown,
    })
  })
})
