/** Signing keys that are rotated, and withdrawn because they leaked, while tokens are in use. */
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Lab } from '../support/lab.ts'
import type { Fault } from '../support/run-fault.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const run = promisify(execFile)

const merx = async (lab: Lab, ...args: readonly string[]): Promise<unknown> => {
  const { stdout } = await run(
    process.execPath,
    [resolve(ROOT, 'services/auth/src/cli/merx.ts'), '--json', '--yes', ...args],
    { env: { PATH: process.env['PATH'], ...lab.environment.auth } },
  )
  return JSON.parse(stdout)
}

interface ListedKey {
  readonly kid: string
  readonly state: string
}

export const keyFaults: readonly Fault[] = [
  {
    name: 'rotate-key',
    title: 'the signing key rotated',
    lastsMs: 4_000,
    inject: async (lab) => void (await merx(lab, 'keys', 'rotate')),
    repair: () => undefined,
  },
  {
    name: 'withdraw-key',
    title: 'the active signing key withdrawn: every token is void at once',
    allowed: [401],
    lastsMs: 1_000,
    inject: async (lab) => {
      const keys = (await merx(lab, 'keys', 'list')) as readonly ListedKey[]
      const active = keys.find(({ state }) => state === 'active')
      if (active === undefined) throw new Error(`no key is active: ${JSON.stringify(keys)}`)
      await merx(lab, 'keys', 'withdraw', active.kid)
    },
    repair: () => undefined,
  },
]
