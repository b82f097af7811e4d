import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const urlOf = (file: string): string => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)))

/** Runs a program whose log lines all fail; `said` is what it writes to the standard error. */
const runWithFullDisk = (lines: number): { readonly said: string; readonly status: number | null } => {
  const program = `const { createLogger } = await import(${urlOf('./logger.ts')})
    const { droppedLogLines } = await import(${urlOf('./log-output.ts')})
    const { writeSync } = await import('node:fs')
    const log = createLogger({ service: 'try', level: 'info' })
    for (let count = 0; count < ${lines}; count += 1) {
      log.info({ text: 'x'.repeat(1_000) }, 'a line')
      if (count % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    log.fatal('pino flushes after a fatal line')
    await new Promise((resolve) => setTimeout(resolve, 20))
    writeSync(2, String(droppedLogLines()))`
  const full = openSync('/dev/full', 'w')
  try {
    const { stderr, status } = spawnSync(
      process.execPath,
      ['--no-warnings', '--input-type=module', '-e', program],
      { encoding: 'utf8', stdio: ['ignore', full, 'pipe'] },
    )
    return { said: stderr, status }
  } finally {
    closeSync(full)
  }
}

/** What a program that ends in this way has written. */
const outputOf = (ending: string): string => {
  const program = `const { createLogger } = await import(${urlOf('./logger.ts')})
    createLogger({ service: 'try', level: 'info' }).info('the last words')
    ${ending}`
  return execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

describe('the standard output', () => {
  it.each([
    ['by itself', ''],
    ['with process.exit in the same turn', 'process.exit(0)'],
  ])('has the last line of a program that ends %s', (_how, ending) => {
    expect(outputOf(ending)).toContain('the last words')
  })
})

describe('a standard output on a full disk', () => {
  it('does not end the process, and lines wait for room', () => {
    expect(runWithFullDisk(100)).toEqual({ said: '0', status: 0 })
  })

  it('drops and counts lines beyond a megabyte', () => {
    const { said, status } = runWithFullDisk(3_000)
    expect(status).toBe(0)
    expect(Number(said)).toBeGreaterThan(1_800)
    expect(Number(said)).toBeLessThan(2_200)
  })
})
