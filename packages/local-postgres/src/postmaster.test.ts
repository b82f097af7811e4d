import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { clearLeftover, readPostmaster } from './postmaster.ts'

describe('postmaster.pid', () => {
  let folder: string
  const write = (content: string): void => writeFileSync(path.join(folder, 'postmaster.pid'), content)
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'merx-postmaster-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('tells process id and readiness', () => {
    write(`4711\n${folder}\n1795209733\n55999\n\nlocalhost\n  2148144         9\nready   \n`)
    expect(readPostmaster(folder)).toEqual({ pid: 4711, isReady: true })
  })

  it('is not ready before the server says so', () => {
    write(`4711\n${folder}\n1795209733\n55999\n\n\n\nstarting\n`)
    expect(readPostmaster(folder)?.isReady).toBe(false)
  })

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['garbage', 'what\n'],
  ])('is nothing when it is %s', async (_, content) => {
    if (content !== undefined) write(content)
    expect(readPostmaster(folder)).toBeUndefined()
    await expect(clearLeftover(folder)).resolves.toBe('nothing')
  })

  it('is removed, and nobody harmed, when its number belongs to another program by now', async () => {
    const otherCaller = spawn('sleep', ['30'])
    write(`${otherCaller.pid}\n${folder}\n`)
    await expect(clearLeftover(folder)).resolves.toBe('stale file')
    expect(existsSync(path.join(folder, 'postmaster.pid'))).toBe(false)
    expect(otherCaller.exitCode).toBeNull()
    otherCaller.kill('SIGKILL')
  })
})
