/** connection.json: how `merx` reaches the database of auth, and metrics, while this system runs. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '@merx/config/load-config'

/** What the command line needs to know. */
const NAMES = [
  'AUTH_DATABASE_URL',
  'CORE_INTERNAL_URL',
  'METRICS_INTERNAL_URL',
  'SERVICE_KEY',
  'KEY_ENCRYPTION_SECRET',
  'SIGNING_KEY_BITS',
] as const

const fileIn = (dataFolder: string): string => path.join(dataFolder, 'connection.json')

/** Mode 0600, because it holds secrets; replaced in one step. The process id tells a file that kill -9 left behind. */
export const writeConnectionFile = (dataFolder: string, env: Environment): void => {
  const environment = Object.fromEntries(
    NAMES.flatMap((name) => (env[name] === undefined || env[name] === '' ? [] : [[name, env[name]]])),
  )
  const next = `${fileIn(dataFolder)}.new`
  rmSync(next, { force: true }) // an existing file would keep its mode
  writeFileSync(next, `${JSON.stringify({ pid: process.pid, environment }, null, 2)}\n`, { mode: 0o600 })
  renameSync(next, fileIn(dataFolder))
}

export const removeConnectionFile = (dataFolder: string): void => rmSync(fileIn(dataFolder), { force: true })
