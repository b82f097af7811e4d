/** `merx settings`: what it asks core, and what a person at the terminal sees. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen, type Listening } from '@merx/http/listen'
import { runMerx } from '../../src/cli/run-merx.ts'
import { toPublicId } from '../../src/store/public-ids.ts'
import { startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { runSql } from '../support/sql.ts'

const SERVICE_KEY = 'a key for tests only, of core'
const STATES = [
  { name: 'api_rules_engine', value: true, default: false },
  { name: 'support_email', value: 'help@shop.test', default: null },
  { name: 'tags_max_allowed_number', value: 10, default: 10 },
]

let answer: readonly [status: number, body: unknown]
let asked: (readonly [where: string, body: unknown])[]
let core: Listening
let system: TestSystem
let organization: { readonly slug: string; readonly id: string }

const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
  const sent = await text(req)
  asked.push([`${req.method ?? ''} ${req.url ?? ''}`, sent === '' ? undefined : JSON.parse(sent)])
  const [status, body] = answer
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

beforeAll(async () => {
  core = await listen((req, res) => void serve(req, res), { host: '127.0.0.1', port: 0 })
  system = await startTestSystem({ name: 'merx_settings' })
  const [{ slug, id } = { slug: '', id: 0 }] = await runSql<{ slug: string; id: string | number }>(
    system.databaseUrl,
    'SELECT slug, id FROM organizations ORDER BY id LIMIT 1',
  )
  organization = { slug, id: toPublicId('organizations', BigInt(id)) }
})
afterAll(async () => {
  await core.close()
  await system.close()
})
beforeEach(() => {
  answer = [200, { settings: STATES }]
  asked = []
})

const merx = async (...args: readonly string[]) => {
  const printed = { out: '', err: '' }
  const unused = () => Promise.reject(new Error('nobody is asked'))
  const code = await runMerx(['settings', ...args], {
    env: { AUTH_DATABASE_URL: system.databaseUrl, CORE_INTERNAL_URL: core.url, SERVICE_KEY },
    out: (line) => void (printed.out += line),
    err: (line) => void (printed.err += line),
    isInteractive: false,
    ...{ ask: unused, askHidden: unused, readInput: unused },
  })
  return { code, ...printed }
}

it('lists what holds beside what holds by default', async () => {
  const { code, out, err } = await merx('list', organization.slug, '--mode', 'live')
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/NAME +VALUE +DEFAULT/)
  expect(out).toMatch(/api_rules_engine +true +false/)
  expect(out).toMatch(/support_email +help@shop\.test +null/)
  expect(asked).toEqual([[`GET /internal/settings?organization_id=${organization.id}&mode=live`, undefined]])
})

it('sets values of every kind, and shows those', async () => {
  const pairs = ['api_rules_engine=true', 'support_email=help@shop.test', 'coupons_min_code_length=default']
  const { code, out } = await merx('set', organization.slug, ...pairs, '--mode', 'test', '--json')
  const settings = {
    api_rules_engine: true,
    support_email: 'help@shop.test',
    coupons_min_code_length: null,
  }
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual(STATES.slice(0, 2))
  expect(asked).toEqual([
    ['POST /internal/settings', { organization_id: organization.id, mode: 'test', settings }],
  ])
})

it.each([
  ['no mode', ['api_rules_engine=true'], /--mode/],
  ['no setting', ['--mode', 'test'], /setting/],
  ['no value', ['api_rules_engine', '--mode', 'test'], /"api_rules_engine" is no setting: write name=value/],
])('refuses %s with exit code 2', async (_name, args, message) => {
  expect(await merx('set', organization.slug, ...args)).toMatchObject({
    code: 2,
    err: expect.stringMatching(message) as unknown,
  })
  expect(asked).toEqual([])
})

it('says what core refuses', async () => {
  answer = [422, { errors: [{ detail: 'api_rules_engine must be true or false.' }] }]
  expect(await merx('set', organization.slug, 'api_rules_engine=yes', '--mode', 'test')).toMatchObject({
    code: 2,
    err: expect.stringContaining('api_rules_engine must be true or false.') as unknown,
  })
})
