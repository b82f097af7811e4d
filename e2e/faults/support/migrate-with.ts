/** The migrations of a release, while whatever runs goes on. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Lab } from './lab.ts'

const run = promisify(execFile)

/**
 * As the jobs migrate-auth and migrate-core do.
 * @returns what they logged, a JSON document a line.
 */
export const migrateWith = async ({ environment }: Lab, root: string): Promise<readonly string[]> => {
  const lines: string[] = []
  for (const name of ['auth', 'core'] as const) {
    const { stdout } = await run(process.execPath, [join(root, 'services', name, 'src', 'migrate.ts')], {
      env: { PATH: process.env['PATH'], ...environment[name] },
    })
    lines.push(...stdout.split('\n').filter((line) => line.startsWith('{')))
  }
  return lines
}
