/** `npm run reset`: removes all data of the system, and nothing that this program did not write. */
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { clearLeftover } from '@merx/local-postgres/postmaster'
import { takeDataLock } from './data-lock.ts'
import { renderFailure } from './render-failure.ts'
import { loadSettings } from './settings.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')

/** MERX_DATA_DIR may name a folder that holds other things too. */
const OWN = [
  'postgres',
  'postgres.new',
  'postgres.log',
  'analytics',
  'redis.pid',
  'merx.log',
  'merx.log.1',
  'secrets.json',
  'secrets.json.new',
  'demo.json',
  'demo.json.new',
  'demo-pending',
  'connection.json',
  'connection.json.new',
  'demo-users.json',
  'demo-users.json.new',
  'console.json',
  'console.json.new',
  'prometheus-targets.json',
  'prometheus-targets.json.new',
]

const main = async (): Promise<void> => {
  const { dataFolder } = loadSettings(process.env, ROOT)
  if (!existsSync(dataFolder)) {
    console.log(`merx: there is no data in ${dataFolder}`)
    return
  }
  const lock = await takeDataLock(dataFolder)
  if (existsSync(path.join(dataFolder, 'postgres'))) await clearLeftover(path.join(dataFolder, 'postgres'))
  for (const name of OWN) rmSync(path.join(dataFolder, name), { recursive: true, force: true })
  lock.release()
  const left = readdirSync(dataFolder)
  if (left.length === 0) rmdirSync(dataFolder)
  console.log(
    `merx: removed all data in ${dataFolder}${left.length > 0 ? `; left alone: ${left.join(', ')}` : ''}`,
  )
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(renderFailure(error))
    process.exit(1)
  },
)
