import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freshRedis } from '../../src/fresh-redis.ts'

const startsServers = `
  import { startTestServers } from ${JSON.stringify(fileURLToPath(new URL('../../src/test-servers.ts', import.meta.url)))}
  const servers = await startTestServers(['redis'])
  console.log(servers.redisUrl)
  setInterval(() => undefined, 1000)`

const isListening = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

describe('test servers', () => {
  it('end with the run that started them, even when it is killed', async () => {
    const temporary = await mkdtemp(join(tmpdir(), 'merx-killed-'))
    const run = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', startsServers], {
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(run.stdout, 'data')) as [Buffer]
    const url = line.toString().trim()
    expect(await isListening(url)).toBe(true)
    expect(readdirSync(temporary)).toHaveLength(1)
    run.kill('SIGKILL')
    while (readdirSync(temporary).length > 0) await new Promise((resolve) => setImmediate(resolve))
    expect(await isListening(url)).toBe(false)
    await rm(temporary, { recursive: true })
  })
})

describe('fresh redis', () => {
  it('keeps the keys of two files apart and removes its own', async () => {
    const [one, other] = [await freshRedis(), await freshRedis()]
    await one.client.set('a', '1')
    await other.client.set('a', '2')
    expect(await one.client.get('a')).toBe('1')
    await one.drop()
    expect(await other.client.get('a')).toBe('2')
    await other.drop()
  })

  it('fails with the reason when the run has no Redis', async () => {
    const url = process.env['MERX_TEST_REDIS_URL']
    const path = process.env['PATH']
    delete process.env['MERX_TEST_REDIS_URL']
    process.env['PATH'] = ''
    try {
      await expect(freshRedis()).rejects.toThrow('no redis-server or valkey-server on PATH: install one')
    } finally {
      process.env['MERX_TEST_REDIS_URL'] = url
      process.env['PATH'] = path
    }
  })
})
