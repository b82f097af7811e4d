import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { lineBuffer } from './line-buffer.ts'

const turnEnd = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const createOutput = () => {
  const written: string[] = []
  return { written, output: { write: (lines: string) => void written.push(lines) } }
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
    const { written, output } = createOutput()
    const lines = lineBuffer(output)
    lines.write('one\n')
    lines.write('two\n')
    expect(written).toEqual([])
    await turnEnd()
    lines.write('three\n')
    await turnEnd()
    expect(written).toEqual(['one\ntwo\n', 'three\n'])
  })

  it('do not pile up within a turn', () => {
    const { written, output } = createOutput()
    const lines = lineBuffer(output)
    for (let count = 0; count < 3; count += 1) lines.write(`${'x'.repeat(39_999)}\n`)
    expect(written.map((text) => text.length)).toEqual([80_000])
  })

  it('cost nothing while there is none', async () => {
    const { written, output } = createOutput()
    lineBuffer(output)
    await turnEnd()
    expect(written).toEqual([])
  })

  it.each([
    ['by itself', ''],
    ['with process.exit in the same turn', 'process.exit(0)'],
  ])('reach the standard output of a program that ends %s', (_how, ending) => {
    expect(outputOf(ending)).toContain('the last words')
  })
})
