import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const urlOf = (file: string): string => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)))

/** Runs a program whose every line of log fails; what it says on the other channel. */
const runWithFullDisk = (lines: number): { readonly said: string; readonly status: number | null } => {
  const program = `const { createLogger } = await import(${urlOf('./logger.ts')})
    const { droppedLogLines } = await import(${urlOf('./standard-output.ts')})
    const { writeSync } = await import('node:fs')
    const log = createLogger({ service: 'try', level: 'info' })
    for (let count = 0; count < ${lines}; count += 1) {
      log.info({ text: 'x'.repeat(1_000) }, 'a line')
      if (count % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
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

describe('a standard output that takes nothing', () => {
  it('does not end the process, and a few lines wait', () => {
    expect(runWithFullDisk(100)).toEqual({ said: '0', status: 0 })
  })

  it('has lines dropped and counted beyond a megabyte', () => {
    const { said, status } = runWithFullDisk(3_000)
    expect(status).toBe(0)
    expect(Number(said)).toBeGreaterThan(1_800)
    expect(Number(said)).toBeLessThan(2_200)
  })
})
