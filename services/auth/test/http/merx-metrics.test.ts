/** `merx metrics`: what a person at the terminal sees, whatever metrics answers. */
import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { listen, type Listening } from '@merx/http/listen'
import { findFreePort } from '@merx/local-postgres/free-port'
import { runMerx } from '../../src/cli/run-merx.ts'

const SERVICE_KEY = 'a key for tests only, of metrics'
const STATE = {
  ...{ role: 'filling', lag_ms: 12, backlog: 3, trouble: null, quarantined: 1, generation: 1, rebuild: null },
}
const BUILDING = { ...STATE, rebuild: { generation: 2, applied: 1_500, expected: 3_000 } }

let answers: Readonly<Record<string, readonly [status: number, body: unknown][]>>
let asked: string[]
let metrics: Listening

const serve: RequestListener = (req, res) => {
  const where = `${req.method ?? ''} ${req.url ?? ''}`
  const given = answers[where] ?? []
  const at = asked.filter((each) => each === where).length
  asked.push(where)
  const [status, body] =
    req.headers.authorization === `Bearer ${SERVICE_KEY}`
      ? (given[at] ?? given.at(-1) ?? [404, {}])
      : [401, {}]
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

beforeAll(async () => {
  metrics = await listen(serve, { host: '127.0.0.1', port: 0 })
})
afterAll(() => metrics.close())
beforeEach(() => {
  answers = {}
  asked = []
})

const merx = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const printed = { out: '', err: '' }
  const unused = () => Promise.reject(new Error('nobody is asked'))
  const code = await runMerx(['metrics', ...args], {
    env: { METRICS_INTERNAL_URL: metrics.url, SERVICE_KEY, ...env },
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    isInteractive: false,
    ...{ ask: unused, askHidden: unused, readInput: unused },
  })
  return { code, ...printed }
}

const REBUILD = 'POST /internal/ingest/rebuild'
const INGEST = 'GET /internal/ingest'

describe('merx metrics rebuild', () => {
  it('prints how far it is, then that it is live', async () => {
    answers = {
      [REBUILD]: [[202, { generation: 2 }]],
      [INGEST]: [
        [200, { ...STATE, trouble: 'core does not answer' }],
        [200, BUILDING],
        [200, { ...STATE, generation: 2 }],
      ],
    }
    const { code, out, err } = await merx(['rebuild'])
    expect([code, `${out}${err}`]).toEqual([
      0,
      expect.stringContaining('1500 of about 3000 orders read, 50 %'),
    ])
    expect(`${out}${err}`).toContain('waiting for the process that fills the store (core does not answer)')
    expect(out).toBe('generation   2\nstate        live\nquarantined  1\n')
  })

  it('prints that a store is filled for the first time', async () => {
    const rebuild = { generation: 1, applied: 500, expected: null }
    answers = {
      [REBUILD]: [[202, { generation: 1 }]],
      [INGEST]: [
        [200, { ...STATE, generation: 0, rebuild }],
        [200, STATE],
      ],
    }
    const { code, out, err } = await merx(['rebuild'])
    expect(code).toBe(0)
    expect(`${out}${err}`).toContain('500 orders read into an empty store')
  })

  it('leaves at once with --no-wait', async () => {
    answers = { [REBUILD]: [[202, { generation: 2 }]] }
    const { code, out } = await merx(['rebuild', '--no-wait', '--json'])
    expect([code, JSON.parse(out), asked]).toEqual([0, { generation: 2, is_live: false }, [REBUILD]])
  })

  it('ends with 1 when metrics goes away half-way', async () => {
    answers = {
      [REBUILD]: [[202, { generation: 2 }]],
      [INGEST]: [
        [200, BUILDING],
        [503, {}],
      ],
    }
    expect(await merx(['rebuild'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Metrics answers 503; its log says why.') as unknown,
    })
  })
})

describe('merx metrics status', () => {
  it('says how late the store is, and what hinders it', async () => {
    answers = { [INGEST]: [[200, { ...STATE, lag_ms: null, trouble: 'core does not answer' }]] }
    const { code, out } = await merx(['status'])
    expect(code).toBe(0)
    for (const text of ['not known', 'core does not answer']) expect(out).toContain(text)
  })
})

describe.each([
  ['rebuild', REBUILD],
  ['status', INGEST],
])('merx metrics %s reports', (command, where) => {
  const failure = (detail: string) => ({ code: 1, out: '', err: `merx: ${detail}\n` })

  it('that the key is not taken', async () => {
    const printed = await merx([command], { SERVICE_KEY: 'a key of other services' })
    expect(printed).toEqual(failure('Metrics does not take this SERVICE_KEY.'))
  })

  it('that metrics does not answer', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`
    expect(await merx([command], { METRICS_INTERNAL_URL: url })).toEqual(
      failure(`Metrics does not answer at ${url}.`),
    )
  })

  it('that metrics fails', async () => {
    answers = { [where]: [[500, {}]] }
    expect(await merx([command])).toEqual(failure('Metrics answers 500; its log says why.'))
  })

  it('a response that is not of metrics, as a defect', async () => {
    answers = { [where]: [[200, { hello: 'world' }]] }
    expect(await merx([command])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('this is a defect') as unknown,
    })
    const { err } = await merx([command, '--json'])
    expect(JSON.parse(err)).toEqual({
      errors: [
        {
          code: 'internal_error',
          detail: expect.stringMatching(/^this is a defect.*\n.*Error: /) as unknown,
        },
      ],
    })
  })

  it('that nothing says where metrics is', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'merx-none-'))
    try {
      expect(await merx([command], { METRICS_INTERNAL_URL: '', MERX_DATA_DIR: folder })).toMatchObject({
        code: 1,
        err: expect.stringContaining('METRICS_INTERNAL_URL') as unknown,
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('an invalid address, with exit code 2', async () => {
    expect(await merx([command], { METRICS_INTERNAL_URL: 'metrics:3103' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('METRICS_INTERNAL_URL') as unknown,
    })
  })
})

it('merx metrics status says that a process which fills nothing does not know', async () => {
  answers = { [INGEST]: [[200, null]] }
  expect(await merx(['status'])).toEqual({
    code: 1,
    out: '',
    err: 'merx: The process of METRICS_INTERNAL_URL runs with METRICS_INGEST=false and does not know.\n',
  })
})
