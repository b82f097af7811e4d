/** The system as a person starts it, without demo data: what it refuses, and how it ends. Most begin with a copy of a data folder that was started once. */
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@merx/local-postgres/free-port'
import { readPostmaster } from '@merx/local-postgres/postmaster'
import { readDemoFile } from '../../src/demo-file.ts'
import type { DemoFile } from '../../src/demo-file.ts'

const entry = (name: string): string => fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url))

const SECRETS = JSON.stringify({
  service_key: 's'.repeat(43),
  postgres_password: 'p'.repeat(43),
  id_secret: 'Zq3v9Lw2Xr7Tn5KpYb8Mc4Hd6Fj1Gs0AqWeRtYuIoP',
})

/** Overwrites bytes in the middle of every file with data of a part. Returns how many there were. */
const damage = (analytics: string): number => {
  const files = readdirSync(analytics, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith('.bin'),
  )
  for (const { parentPath, name } of files) {
    const file = openSync(path.join(parentPath, name), 'r+')
    writeSync(file, Buffer.alloc(8, 0xa5), 0, 8, Math.floor(fstatSync(file).size / 2))
    closeSync(file)
  }
  return files.length
}

interface Ended {
  readonly code: number | null
  readonly output: string
}

describe('the one-command system', () => {
  let started: string
  let folder: string
  let env: NodeJS.ProcessEnv
  const running = new Set<ChildProcess>()

  const openFolder = async (): Promise<string> => {
    const made = mkdtempSync(path.join(tmpdir(), 'merx one-command '))
    env = {
      ...process.env,
      MERX_DATA_DIR: made,
      MERX_BASE_PORT: String(await findFreePort()),
      MERX_AUTH_PORT: String(await findFreePort()),
      MERX_DEMO: 'false',
      SIGNING_KEY_BITS: '2048',
    }
    return made
  }

  /** With its owners: PostgreSQL starts for the owner of its folder only. */
  const useStarted = (): Buffer => execFileSync('cp', ['-a', `${started}/.`, folder])

  beforeAll(async () => {
    started = await openFolder()
    const first = run('start')
    await untilFilled(first)
    const ended = untilEnded(first)
    first.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  }, 180_000)
  afterAll(() => rmSync(started, { recursive: true, force: true }))

  beforeEach(async () => {
    folder = await openFolder()
  })
  afterEach(async () => {
    for (const child of running) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
    }
    running.clear()
    rmSync(folder, { recursive: true, force: true })
  })

  const run = (name: string, overrides: NodeJS.ProcessEnv = {}, args: string[] = []): ChildProcess => {
    const child = spawn(process.execPath, [entry(name), ...args], {
      env: { ...env, ...overrides },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    return child
  }

  const merx = (...args: string[]): ChildProcess => {
    const entryOfMerx = path.resolve(import.meta.dirname, '../../../../services/auth/src/cli/merx.ts')
    const child = spawn(process.execPath, [entryOfMerx, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    return child
  }

  const untilPrinted = (child: ChildProcess, text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      let output = ''
      const read = (chunk: Buffer): void => {
        output += chunk.toString()
        if (output.includes(text)) resolve()
      }
      child.stdout?.on('data', read)
      child.stderr?.on('data', read)
      child.once('exit', (code) => reject(new Error(`ended with ${code ?? 'a signal'}:\n${output}`)))
    })

  /** Auth and core answer; metrics may still be filled. */
  const untilReady = (child: ChildProcess): Promise<void> => untilPrinted(child, 'Ctrl-C stops the system')
  const untilFilled = (child: ChildProcess): Promise<void> => untilPrinted(child, '  ready\n')

  const untilEnded = async (child: ChildProcess): Promise<Ended> => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, output }
  }

  const status = async (url: string): Promise<number> => (await fetch(url)).status

  const askToken = (): Promise<Response> => {
    const [shop] = readDemoFile(folder)?.organizations ?? []
    return fetch(`http://localhost:${env.MERX_AUTH_PORT}/oauth/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'client_credentials',
        ...shop?.environments.test.credentials.integration,
      }),
    })
  }

  /** In the first organization's test environment, which has as many as MERX_DEMO_ORDERS says. */
  const countOrders = async (): Promise<number> => {
    const { access_token: token } = (await (await askToken()).json()) as { readonly access_token: string }
    const url = `http://localhost:${env.MERX_BASE_PORT}/api/orders?page%5Bsize%5D=1`
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
    const { meta } = (await response.json()) as { readonly meta: { readonly record_count: number } }
    return meta.record_count
  }

  const readyOfMetrics = async () => {
    const file = readFileSync(path.join(folder, 'connection.json'), 'utf8')
    const { environment } = JSON.parse(file) as { readonly environment: { METRICS_INTERNAL_URL: string } }
    const response = await fetch(`${environment.METRICS_INTERNAL_URL}/health/ready`)
    const body = (await response.json()) as { readonly waiting_for?: { readonly demo: string } }
    return { status: response.status, waitingFor: body.waiting_for?.demo }
  }

  it('answers on both addresses, refuses company, and ends clean with everything it started', async () => {
    const system = run('start')
    await untilReady(system)
    expect(await status(`http://localhost:${env.MERX_BASE_PORT}/api/skus`)).toBe(401)
    expect(await status(`http://localhost:${env.MERX_BASE_PORT}/internal/access-state`)).toBe(404)
    expect(await status(`http://localhost:${env.MERX_AUTH_PORT}/.well-known/jwks.json`)).toBe(200)
    expect(statSync(path.join(folder, 'connection.json')).mode & 0o777).toBe(0o600)
    expect(await untilEnded(merx('keys', 'list'))).toMatchObject({
      code: 0,
      output: expect.stringContaining('active') as unknown,
    })

    const second = await untilEnded(run('start', { MERX_BASE_PORT: '0', MERX_AUTH_PORT: '0' }))
    expect(second).toMatchObject({
      code: 1,
      output: expect.stringContaining(`process ${system.pid} already runs`) as string,
    })
    const reset = await untilEnded(run('reset'))
    expect(reset).toMatchObject({ code: 1, output: expect.stringContaining('Stop it first') as string })
    const elsewhere = await untilEnded(run('start', { MERX_DATA_DIR: path.join(folder, 'other') }))
    expect(elsewhere.output).toContain(`port ${env.MERX_BASE_PORT} is in use by another program`)
    expect(elsewhere.output).toContain('MERX_BASE_PORT=')

    const postgres = readPostmaster(path.join(folder, 'postgres'))?.pid ?? 0
    const ended = untilEnded(system)
    system.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, output: expect.stringContaining('stopped') as string })
    expect(() => process.kill(postgres, 0)).toThrow(/ESRCH/)
    expect(existsSync(path.join(folder, 'lock.json'))).toBe(false)
    expect(await untilEnded(merx('keys', 'list'))).toMatchObject({
      code: 1,
      output: expect.stringContaining(`No system is running on ${folder}`) as unknown,
    })

    expect(await untilEnded(run('reset'))).toMatchObject({ code: 0 })
    expect(existsSync(path.join(folder, 'secrets.json'))).toBe(false)
  }, 180_000)

  it('starts again after kill -9, with the keys it had', async () => {
    useStarted()
    const jwks = async (): Promise<string> =>
      (await fetch(`http://localhost:${env.MERX_AUTH_PORT}/.well-known/jwks.json`)).text()
    const first = run('start')
    await untilReady(first)
    const keys = await jwks()
    first.kill('SIGKILL')
    await once(first, 'exit')
    await untilReady(run('start'))
    expect(await jwks()).toBe(keys)
  }, 180_000)

  it('grows the demo and keeps its credentials, which get the orders added', async () => {
    useStarted()
    const grow = async (orders: number): Promise<DemoFile> => {
      expect(await untilEnded(run('demo', {}, ['--orders', String(orders)]))).toMatchObject({ code: 0 })
      const file = readDemoFile(folder)
      if (file === undefined) throw new Error('no demo.json was written')
      return file
    }
    const small = await grow(50)
    const file = await grow(120)
    expect(file.organizations).toEqual(small.organizations)

    await untilReady(run('start'))
    const { client_id, client_secret } =
      file.organizations[0]?.environments.test.credentials.integration ?? {}
    const answer = await fetch(`${file.auth_url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret }),
    })
    const { access_token } = (await answer.json()) as { readonly access_token: string }
    const orders = await fetch(`${file.base_url}/api/orders`, {
      headers: { accept: 'application/vnd.api+json', authorization: `Bearer ${access_token}` },
    })
    expect(await orders.json()).toMatchObject({ meta: { record_count: 120 } })
  }, 180_000)

  it('refuses to make the demo or the secrets a second time', async () => {
    useStarted()
    expect(await untilEnded(run('demo', {}, ['--orders', '20']))).toMatchObject({ code: 0 })
    const demoFile = path.join(folder, 'demo.json')
    const demo = readFileSync(demoFile)
    const refusal = async (name: string, more: NodeJS.ProcessEnv = {}, args: string[] = []) => {
      const { code, output } = await untilEnded(run(name, more, args))
      expect(code).toBe(1)
      expect(output).not.toMatch(/^ +at /m)
      return output
    }
    writeFileSync(demoFile, 'garbage')
    expect(await refusal('start', { MERX_DEMO: 'true' })).toContain('the demo was made before, and ')
    expect(await refusal('demo', {}, ['--orders', '30'])).toContain('the demo was made before, and ')
    expect(readFileSync(demoFile, 'utf8')).toBe('garbage')
    writeFileSync(demoFile, demo)

    const secrets = path.join(folder, 'secrets.json')
    renameSync(secrets, `${secrets}.away`)
    const before = readdirSync(folder)
    expect(await refusal('start')).toContain('has data (postgres) and no secrets.json')
    expect(readdirSync(folder)).toEqual(before)
    renameSync(`${secrets}.away`, secrets)
    await untilReady(run('start', { MERX_DEMO: 'true' }))
  }, 300_000)

  it('is used while the orders of the demo are loaded, and goes on with them after a kill', async () => {
    useStarted()
    const orders = 30_000
    const demo = { MERX_DEMO: 'true', MERX_DEMO_ORDERS: String(orders) }
    const killed = run('start', demo)
    await untilPrinted(killed, ` of ${orders.toLocaleString('en')} orders`)
    const loaded = await countOrders()
    expect([loaded > 0, loaded < orders]).toEqual([true, true])
    expect(await readyOfMetrics()).toEqual({
      status: 503,
      waitingFor: expect.stringMatching(/ of 30,000 orders$/) as unknown,
    })
    killed.kill('SIGKILL')
    await once(killed, 'exit')

    const system = run('start', demo)
    await untilFilled(system)
    expect(await countOrders()).toBe(orders)
    expect((await readyOfMetrics()).status).toBe(200)
    const ended = untilEnded(system)
    system.kill('SIGTERM')
    await ended
    // Nothing is missing any more.
    await untilFilled(run('start', demo))
    expect(await countOrders()).toBe(orders)
  }, 300_000)

  it('says in one sentence that a file is where a folder belongs', async () => {
    writeFileSync(path.join(folder, 'secrets.json'), SECRETS, { mode: 0o600 })
    writeFileSync(path.join(folder, 'analytics'), '')
    const { code, output } = await untilEnded(run('start'))
    expect(code).toBe(1)
    expect(output).toContain('Merx cannot go on: ')
    expect(output).toContain('a file is where a folder belongs (EEXIST)')
    expect(output).not.toMatch(/^ +at /m)
  }, 180_000)

  it('answers for auth and core while a damaged analytics store is filled again', async () => {
    useStarted()
    expect(damage(path.join(folder, 'analytics'))).toBeGreaterThan(0)

    const system = run('start')
    const filled = untilFilled(system)
    await untilReady(system)
    expect(await status(`http://localhost:${env.MERX_BASE_PORT}/api/skus`)).toBe(401)
    expect(await status(`http://localhost:${env.MERX_AUTH_PORT}/.well-known/jwks.json`)).toBe(200)
    await filled
  }, 180_000)

  it('writes its log as JSON without the secrets of the data folder', async () => {
    useStarted()
    const system = run('start')
    await untilReady(system)
    await status(`http://localhost:${env.MERX_BASE_PORT}/api/skus`)
    const ended = untilEnded(system)
    system.kill('SIGINT')
    await ended
    const log = readFileSync(path.join(folder, 'merx.log'), 'utf8')
    const lines = log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.some(({ path: url, status: code }) => url === '/api/skus' && code === 401)).toBe(true)
    const secrets = JSON.parse(readFileSync(path.join(folder, 'secrets.json'), 'utf8')) as Record<
      string,
      string
    >
    for (const secret of Object.values(secrets)) expect(log).not.toContain(secret)
  }, 180_000)
})
