/** Every package and service has a README with an example; examples in ```ts blocks run and print what their comments say. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')

const folders = globSync(['packages/*/package.json', 'services/*/package.json'], { cwd: ROOT })
  .map((file) => path.dirname(file))
  .toSorted()

const readmeOf = (folder: string): string => {
  const file = path.join(ROOT, folder, 'README.md')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

const blocksOf = (text: string, language: string): readonly string[] =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , code = '']) => code)

const examples = folders.flatMap((folder) =>
  blocksOf(readmeOf(folder), 'ts').map((code, index) => ({ name: `${folder} ${index + 1}`, folder, code })),
)

const expectedOutput = (code: string): readonly string[] =>
  [...code.matchAll(/ \/\/ → (.*)$/gm)].map(([, text = '']) => text)

describe('the README of', () => {
  it.each(folders)('%s says what it is, shows an example, and says how it fails', (folder) => {
    const text = readmeOf(folder)
    expect(text).toMatch(/^# \S+/)
    expect(text).toMatch(/^```(ts|typescript|sh)$/m)
    expect(text).toContain('\n## How it fails\n')
  })
})

describe('the example of', () => {
  it('finds those of most packages', () => {
    expect(examples.length).toBeGreaterThan(9)
  })

  it.each(examples)('$name prints what its comments say', async ({ folder, code }) => {
    const program = ['--no-warnings', '--input-type=module-typescript', '--eval', code]
    const { stdout } = await promisify(execFile)(process.execPath, program, {
      cwd: path.join(ROOT, folder),
      timeout: 25_000,
    })
    expect(expectedOutput(code).length).toBeGreaterThan(0)
    expect(stdout.trimEnd().split('\n')).toEqual(expectedOutput(code))
  })
})
