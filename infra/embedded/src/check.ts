/** `npm run check`: format, lint, types and the quick tests, all of them even when one fails. */
import path from 'node:path'
import { runProgram } from './run-program.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')
const BIN = path.join(ROOT, 'node_modules')

const CHECKS = [
  { name: 'format', program: 'prettier/bin/prettier.cjs', args: ['--check', '--log-level=warn', '.'] },
  {
    name: 'lint',
    program: 'eslint/bin/eslint.js',
    args: ['.', '--cache', '--cache-location', 'node_modules/.cache/eslint/'],
  },
  { name: 'types', program: 'typescript/bin/tsc', args: [] },
  { name: 'unit tests', program: 'jest/bin/jest.js', args: ['--selectProjects', 'unit'] },
] as const

const failed: string[] = []
for (const { name, program, args } of CHECKS) {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning']
  const code = await runProgram(process.execPath, [...flags, path.join(BIN, program), ...args], { cwd: ROOT })
  console.log(`merx check: ${name} ${code === 0 ? 'ok' : 'FAILED'}`)
  if (code !== 0) failed.push(name)
}
if (failed.length > 0) console.log(`merx check: failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
if (process.connected) process.disconnect()
