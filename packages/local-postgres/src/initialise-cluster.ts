/** Creates the data folder of a server (initdb). */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { launchAs } from './account.ts'
import type { Account, Launch } from './account.ts'
import type { PostgresBinaries } from './binaries.ts'
import { environment, USER } from './server-account.ts'

/** What a new cluster needs to know. */
export interface NewCluster {
  readonly dataFolder: string
  readonly password: string
  readonly isDurable: boolean
}

/** The same on every machine, whatever its locales: Unicode case rules, order by code point. */
const LOCALE_FLAGS = [
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
]

const OUTPUT_TAIL_CHARS = 2_000

/** Into a neighbour first, then renamed, which fails on a folder with files: an interrupted start leaves no half-made cluster. */
export const initialiseCluster = async (
  options: NewCluster,
  binaries: PostgresBinaries,
  account?: Account,
): Promise<void> => {
  const fresh = `${options.dataFolder}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true, mode: 0o700 })
  const passwordFile = path.join(tmpdir(), `merx-pg-${randomBytes(8).toString('hex')}`)
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 })
  if (account !== undefined)
    for (const target of [fresh, passwordFile]) chownSync(target, account.uid, account.gid)
  try {
    const sync = options.isDurable ? [] : ['--no-sync']
    const auth = ['--auth=scram-sha-256', `--username=${USER}`, `--pwfile=${passwordFile}`]
    const args = [`--pgdata=${fresh}`, ...auth, ...LOCALE_FLAGS, ...sync]
    await runToEnd(launchAs(account, binaries.initdb, args, [fresh, passwordFile]))
  } finally {
    rmSync(passwordFile, { force: true })
  }
  renameSync(fresh, options.dataFolder)
}

const runToEnd = (launch: Launch): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(launch.file, launch.args, {
      ...launch.ids,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment(),
    })
    let output = ''
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-OUTPUT_TAIL_CHARS)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`initdb ended with code ${code ?? 'none'}:\n${output.trim()}`))
    })
  })
