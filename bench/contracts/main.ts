/** Writes what real neighbours answer into the recordings of load tests: `node bench/contracts/main.ts`. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { recordAuth, recordCore, recordFeed } from './record.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..')

const write = (file: string, recording: unknown): void => {
  writeFileSync(path.join(ROOT, file), `${JSON.stringify(recording, undefined, 2)}\n`)
  console.log(`written: ${file}`)
}

// Core is recorded with what was recorded of auth.
const auth = await recordAuth()
write('services/core/load/recorded-auth.json', auth)
write('services/metrics/load/recorded-auth.json', auth)
write('services/metrics/load/recorded-core.json', await recordFeed())
write('services/auth/load/recorded-core.json', await recordCore())
