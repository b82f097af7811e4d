/** The server's whole life in a folder that nobody but root may enter, as a clone in a temporary folder is. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { startLocalPostgres } from '../../src/local-postgres.ts'
import type { LocalPostgres } from '../../src/local-postgres.ts'

const query = async (url: string, text: string): Promise<unknown[]> => {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined) // the server may be stopped under it
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

describe('local PostgreSQL', () => {
  let folder: string
  let server: LocalPostgres | undefined
  const options = () => ({
    dataFolder: path.join(folder, 'with space', 'postgres'),
    logFile: path.join(folder, 'postgres.log'),
    password: 'p@ss/word',
    isDurable: true,
  })
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'merx-local-postgres-'))
  })
  afterEach(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true })
  })

  it('removes no folder with data that lost its PG_VERSION', async () => {
    server = await startLocalPostgres(options())
    await query(server.url('postgres'), 'CREATE TABLE kept AS SELECT 42 AS answer')
    await server.stop()
    const version = path.join(options().dataFolder, 'PG_VERSION')
    renameSync(version, path.join(folder, 'away'))
    const before = readdirSync(options().dataFolder)
    await expect(startLocalPostgres(options())).rejects.toThrow('has files and no PG_VERSION')
    expect(readdirSync(options().dataFolder)).toEqual(before)
    renameSync(path.join(folder, 'away'), version)
    server = await startLocalPostgres(options())
    expect(await query(server.url('postgres'), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('is durable, refuses a wrong password, and keeps its data over a restart', async () => {
    server = await startLocalPostgres(options())
    expect(await query(server.url('postgres'), 'SHOW fsync')).toEqual([{ fsync: 'on' }])
    await query(server.url('postgres'), 'CREATE TABLE kept AS SELECT 42 AS answer')
    const wrong = server.url('postgres').replace(encodeURIComponent('p@ss/word'), 'wrong')
    await expect(query(wrong, 'SELECT 1')).rejects.toThrow(/password/)
    await server.stop()
    server = await startLocalPostgres(options())
    expect(await query(server.url('postgres'), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('compares letters beyond ASCII without regard to case', async () => {
    server = await startLocalPostgres({ ...options(), isDurable: false })
    expect(await query(server.url('postgres'), `SELECT 'ÄÖ' ILIKE 'äö' AS same`)).toEqual([{ same: true }])
  })

  it('says so when the server ends by itself', async () => {
    server = await startLocalPostgres({ ...options(), isDurable: false })
    process.kill(server.pid, 'SIGQUIT')
    await server.ended
  })

  it('ends with a parent that is killed, and recovers what was committed', async () => {
    const program = fileURLToPath(new URL('./hold-server.ts', import.meta.url))
    const parent = spawn(process.execPath, [program, JSON.stringify(options())], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string]
    const { pid, url } = JSON.parse(line) as { pid: number; url: string }
    await query(url, 'CREATE TABLE kept AS SELECT 43 AS answer')
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    // At once, while the old server may still be going down.
    server = await startLocalPostgres(options())
    expect(server.pid).not.toBe(pid)
    expect(await query(server.url('postgres'), 'SELECT answer FROM kept')).toEqual([{ answer: 43 }])
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)
  })

  it('gives the end of its log when it cannot start', async () => {
    const wrong = { ...options(), settings: { shared_buffers: 'nonsense' } }
    await expect(startLocalPostgres(wrong)).rejects.toThrow(/invalid value for parameter "shared_buffers"/)
    expect(readFileSync(options().logFile, 'utf8')).toContain('shared_buffers')
  })
})
