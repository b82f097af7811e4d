/** The commands of a how-to page, run as they stand there. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../../..')
const PAGE = resolve(ROOT, 'docs/how-to/run-as-containers.md')

/** The block of shell commands behind the mark `<!-- <mark>: … -->`. */
const commandsBehind = (mark: string): string => {
  const [, after] = readFileSync(PAGE, 'utf8').split(`<!-- ${mark}:`)
  const block = after?.match(/```sh\n([\s\S]*?)```/)?.[1]
  if (block === undefined) throw new Error(`${PAGE} has no commands behind "${mark}"`)
  return block
}

/** @throws Error with what they said when one fails */
export const runCommands = async (mark: string): Promise<void> => {
  await promisify(execFile)('bash', ['-euc', commandsBehind(mark)], { cwd: ROOT })
}
