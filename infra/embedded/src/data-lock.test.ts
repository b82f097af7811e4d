import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readHolder, takeDataLock } from './data-lock.ts'
import { OperatorError } from './operator-error.ts'
import { processIdentity } from './process-identity.ts'
import { renderFailure } from './render-failure.ts'

const AT_ONCE = { runningWaitMs: 0, stoppingWaitMs: 0 }

describe('the lock of a data folder', () => {
  let folder: string
  const file = (): string => path.join(folder, 'lock.json')
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'merx-lock-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is taken once, and again after its release', async () => {
    const lock = await takeDataLock(folder, AT_ONCE)
    await expect(takeDataLock(folder, AT_ONCE)).rejects.toThrow(`process ${process.pid} already runs`)
    lock.release()
    expect(existsSync(file())).toBe(false)
    await expect(takeDataLock(folder, AT_ONCE)).resolves.toBeDefined()
  })

  it('is free when its process was killed', async () => {
    const holder = spawn('sleep', ['60'])
    const { pid = 0 } = holder
    writeFileSync(file(), JSON.stringify({ pid, identity: processIdentity(pid), state: 'running' }))
    expect(readHolder(folder)?.pid).toBe(pid)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    await expect(takeDataLock(folder, AT_ONCE)).resolves.toBeDefined()
  })

  it('is free when the number of its process belongs to another one by now', async () => {
    writeFileSync(file(), JSON.stringify({ pid: process.pid, identity: 'an earlier boot', state: 'running' }))
    await expect(takeDataLock(folder, AT_ONCE)).resolves.toBeDefined()
  })

  it.each(['', '{', 'null', '{"pid":"x"}'])('is free when its file holds garbage: %j', async (content) => {
    writeFileSync(file(), content)
    await expect(takeDataLock(folder, AT_ONCE)).resolves.toBeDefined()
  })

  it.each(['', 'below'])('says so when the folder is a file, or below one: %j', async (below) => {
    writeFileSync(path.join(folder, 'file'), '')
    const taken = takeDataLock(path.join(folder, 'file', below), AT_ONCE)
    await expect(taken).rejects.toThrow(OperatorError)
    await expect(taken).rejects.toThrow('is no folder, and cannot become one')
  })

  it('names the path when a folder is in the place of its file', async () => {
    mkdirSync(file())
    const refusal = await takeDataLock(folder, AT_ONCE).catch(renderFailure)
    expect(refusal).toContain(`${file()}: a folder is where a file belongs (EISDIR).`)
  })

  it('waits for a holder that is stopping', async () => {
    const lock = await takeDataLock(folder, AT_ONCE)
    lock.markStopping()
    const next = takeDataLock(folder, { runningWaitMs: 0, stoppingWaitMs: 10_000 })
    expect(readHolder(folder)?.state).toBe('stopping')
    lock.release()
    await expect(next).resolves.toBeDefined()
  })
})
