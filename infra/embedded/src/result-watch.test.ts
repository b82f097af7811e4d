import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { watchResult } from './result-watch.ts'
import { runProgram } from './run-program.ts'

const GRACE_MS = 500
const SIGKILLED = 137

describe('the watch over a test run', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'merx-result-watch-'))
  })

  afterEach(() => rmSync(folder, { recursive: true }))

  const run = async (program: string): Promise<number> => {
    const result = join(folder, 'result.json')
    const watch = watchResult(result, GRACE_MS)
    try {
      return await runProgram(process.execPath, ['-e', program, result], {
        cwd: folder,
        signal: watch.signal,
      })
    } finally {
      watch.stop()
    }
  }

  it('ends a run that wrote its result and stays open', async () => {
    const stuck = `require('fs').writeFileSync(process.argv[1], '{}'); setInterval(() => {}, 1000)`
    expect(await run(stuck)).toBe(SIGKILLED)
  })

  it('lets a run go on that has not written it, and one end by itself that has', async () => {
    const late = `setTimeout(() => require('fs').writeFileSync(process.argv[1], '{}'), 2500)`
    expect(await run(late)).toBe(0)
  })
})
