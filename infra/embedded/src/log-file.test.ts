import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openLogFile } from './log-file.ts'

describe('the log file', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'merx-log-'))
    file = path.join(folder, 'merx.log')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('keeps what earlier runs wrote and is readable by its owner only', () => {
    for (const line of ['first\n', 'second\n']) {
      const log = openLogFile(file)
      log.write(line)
      log.close()
    }
    expect(readFileSync(file, 'utf8')).toBe('first\nsecond\n')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('never grows beyond its size and keeps one predecessor', () => {
    const log = openLogFile(file, 100)
    for (let n = 0; n < 50; n += 1) log.write(`line ${n}\n`)
    log.close()
    expect(statSync(file).size).toBeLessThanOrEqual(100)
    expect(readFileSync(`${file}.1`, 'utf8')).toContain('line 3')
    expect(readFileSync(file, 'utf8')).toMatch(/line 49\n$/)
  })

  it('counts what was there before it was opened', () => {
    const before = openLogFile(file)
    before.write('x'.repeat(90))
    before.close()
    const log = openLogFile(file, 100)
    log.write('y'.repeat(20))
    log.close()
    expect(existsSync(`${file}.1`)).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe('y'.repeat(20))
  })
})
