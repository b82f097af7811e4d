/** Writes the alert rules and the dashboards: `node infra/telemetry/gen/observability.ts`. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { rendered } from '../src/render.ts'

const FOLDER = path.resolve(import.meta.dirname, '..')

for (const [file, text] of rendered()) writeFileSync(path.join(FOLDER, file), text)
