import { execFile } from 'node:child_process'
import { getPriority } from 'node:os'
import process from 'node:process'
import { promisify } from 'node:util'
import { POOL_NICENESS } from './pool-priority.ts'

const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href)

/** Runs `act` in a process of its own, as niceness stays; its threads by name, each with the niceness that it has then. */
const nicenessAfter = async (act: string): Promise<readonly (readonly [string, number])[]> => {
  const script = `
    import { readdirSync, readFileSync } from 'node:fs'
    import { getPriority } from 'node:os'
    import { lowerPoolPriority } from ${url('./pool-priority.ts')}
    import { silentLogger } from ${url('../../../packages/testing/src/silent-logger.ts')}
    ${act}
    const nameOf = (thread) => readFileSync('/proc/self/task/' + thread + '/comm', 'utf8').trimEnd()
    const threads = readdirSync('/proc/self/task').map((thread) => [nameOf(thread), getPriority(Number(thread))])
    process.stdout.write(JSON.stringify(threads))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, UV_THREADPOOL_SIZE: '4' },
  })
  return JSON.parse(stdout) as readonly (readonly [string, number])[]
}

/** Of this process, which the others begin with. */
const own = getPriority()

const isOfPool = ([name]: readonly [string, number]): boolean => name === 'libuv-worker'

const onLinux = process.platform === 'linux' ? it : it.skip

onLinux('all threads of the pool get less of a busy processor, and no other thread does', async () => {
  const threads = await nicenessAfter('await lowerPoolPriority(silentLogger)')
  expect(threads.filter(isOfPool)).toEqual(Array(4).fill(['libuv-worker', own + POOL_NICENESS]))
  const others = threads.filter((thread) => !isOfPool(thread))
  expect(others.length).toBeGreaterThan(1)
  expect(new Set(others.map(([, niceness]) => niceness))).toEqual(new Set([own]))
})

onLinux('where it is forbidden the log tells, and nothing fails', async () => {
  const threads = await nicenessAfter(`
    import os from 'node:os'
    import { syncBuiltinESMExports } from 'node:module'
    os.setPriority = () => { throw Object.assign(new Error('setpriority'), { code: 'ERR_SYSTEM_ERROR' }) }
    syncBuiltinESMExports()
    const told = []
    await lowerPoolPriority({ ...silentLogger, warn: (fields, text) => told.push(text) })
    if (told.join() !== 'the threads that sign keep their priority') throw new Error('told ' + told.join())`)
  expect(new Set(threads.map(([, niceness]) => niceness))).toEqual(new Set([own]))
})
