/** `npm run gen`: writes everything that is generated and committed: reference pages, lists, tables. */
import { globSync } from 'node:fs'
import path from 'node:path'
import { runProgram } from './run-program.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')

/** A file in a `gen` folder writes its page when run; what it exports is for its test. */
const GENERATORS = globSync('{packages,services,infra}/*/gen/*.ts', { cwd: ROOT })
  .filter((file) => !file.endsWith('.test.ts'))
  .toSorted()

const COMMANDS = [...GENERATORS.map((file) => [file]), ['e2e/contract/list-statements.ts', '--write']]

const failed: string[] = []
for (const command of COMMANDS) {
  const code = await runProgram(process.execPath, command, { cwd: ROOT })
  console.log(`merx gen: ${command[0]} ${code === 0 ? 'ok' : 'FAILED'}`)
  if (code !== 0) failed.push(command.join(' '))
}
process.exitCode = failed.length === 0 ? 0 : 1
