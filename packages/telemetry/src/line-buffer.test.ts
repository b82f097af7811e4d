import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { lineBuffer } from './line-buffer.ts'

const turnEnd = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const createOutput = () => {
  const held: string[] = []
  const flushed: string[][] = []
  return {
    flushed,
    output: {
      write: (line: string) => void held.push(line),
      flushSync: () => void flushed.push(held.splice(0)),
    },
  }
}

/** What a program that ends in this way has written. */
const outputOf = (ending: string): string => {
  const logger = fileURLToPath(new URL('./logger.ts', import.meta.url))
  const program = `const { createLogger } = await import(${JSON.stringify(logger)})
    createLogger({ service: 'try', level: 'info' }).info('the last words')
    ${ending}`
  return execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

describe('lines', () => {
  it('of one turn go out together, at its end', async () => {
    const { flushed, output } = createOutput()
    const lines = lineBuffer(output)
    lines.write('one')
    lines.write('two')
    expect(flushed).toEqual([])
    await turnEnd()
    lines.write('three')
    await turnEnd()
    expect(flushed).toEqual([['one', 'two'], ['three']])
  })

  it('cost nothing while there is none', async () => {
    const { flushed, output } = createOutput()
    lineBuffer(output)
    await turnEnd()
    expect(flushed).toEqual([])
  })

  it.each([
    ['by itself', ''],
    ['with process.exit in the same turn', 'process.exit(0)'],
  ])('reach the standard output of a program that ends %s', (_how, ending) => {
    expect(outputOf(ending)).toContain('the last words')
  })
})
