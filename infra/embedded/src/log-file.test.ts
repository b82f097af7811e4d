import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { droppedLogLines } from '@merx/telemetry/log-output'
import { openLogFile } from './log-file.ts'

describe('the log file', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'merx-log-'))
    file = path.join(folder, 'merx.log')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('appends to what earlier runs wrote and is readable by its owner only', () => {
    for (const line of ['first\n', 'second\n']) {
      const log = openLogFile(file)
      log.write(line)
      log.close()
    }
    expect(readFileSync(file, 'utf8')).toBe('first\nsecond\n')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('never grows beyond its size and has one predecessor', () => {
    const log = openLogFile(file, 100)
    for (let n = 0; n < 50; n += 1) log.write(`line ${n}\n`)
    log.close()
    expect(statSync(file).size).toBeLessThanOrEqual(100)
    expect(readFileSync(`${file}.1`, 'utf8')).toContain('line 3')
    expect(readFileSync(file, 'utf8')).toMatch(/line 49\n$/)
  })

  it('counts the bytes that were there before it was opened', () => {
    const before = openLogFile(file)
    before.write('x'.repeat(90))
    before.close()
    const log = openLogFile(file, 100)
    log.write('y'.repeat(20))
    log.close()
    expect(existsSync(`${file}.1`)).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe('y'.repeat(20))
  })

  describe('on a full disk', () => {
    const LINES_PER_MEGABYTE = 1_024
    const line = `${'x'.repeat(1_023)}\n`

    it('ends nobody, drops and counts lines beyond a megabyte, and writes again when there is room', () => {
      symlinkSync('/dev/full', file)
      const log = openLogFile(file, 2 * LINES_PER_MEGABYTE * line.length)
      const before = droppedLogLines()
      for (let n = 0; n < 2 * LINES_PER_MEGABYTE; n += 1) log.write(line)
      expect(droppedLogLines() - before).toBe(LINES_PER_MEGABYTE)
      log.write('there is room\n') // the file is rotated: a new one, which is on no full disk, takes its place
      log.write('and still\n')
      log.close()
      const text = readFileSync(file, 'utf8')
      expect(text.split('\n').filter((written) => written.startsWith('x'))).toHaveLength(LINES_PER_MEGABYTE)
      expect(text).toMatch(/there is room\nand still\n$/)
    })

    it('closes without waiting for room', () => {
      symlinkSync('/dev/full', file)
      const log = openLogFile(file)
      log.write(line.repeat(8))
      expect(() => log.close()).not.toThrow()
    })
  })

  it('continues with the file in use, and logs that, when it cannot be rotated', () => {
    mkdirSync(`${file}.1`)
    const log = openLogFile(file, 100)
    for (let n = 0; n < 50; n += 1) log.write(`line ${n}\n`)
    log.close()
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(/^line 0\n/)
    expect(text).toMatch(/line 49\n$/)
    expect(text).toContain('the log file cannot be rotated')
  })
})
