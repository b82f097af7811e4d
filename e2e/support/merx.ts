/** The command line on the running system, as an operator types it. */
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

const MERX = resolve(import.meta.dirname, '../../services/auth/src/cli/merx.ts')

/** The result of a command that must work. */
export const merx = async <T>(...args: readonly string[]): Promise<T> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', MERX, ...args, '--json'])
  return JSON.parse(stdout) as T
}
