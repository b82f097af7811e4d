/** docs/how-to/add-a-job.md, followed step by step with the blocks of the page itself. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { jobs as coreJobs } from '../../../src/areas.ts'
import { openDatabase } from '../../../src/engine/database/database.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import type { RunStatement } from '../../../src/engine/database/run-statement.ts'
import { runIn } from '../../../src/engine/database/run-statement.ts'
import type { Enqueue, JobDefinition } from '../../../src/jobs/define-job.ts'
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

const page = readFileSync(new URL('../../../../../docs/how-to/add-a-job.md', import.meta.url), 'utf8')

/** The blocks of a language, in order. */
const blocks = (language: string): readonly string[] =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)]
    .filter(([, name]) => name === language)
    .map(([, , text]) => text ?? '')

const block = (language: string, at = 0): string => {
  const found = blocks(language)[at]
  if (found === undefined) throw new Error(`the page has no block ${at} in ${language}`)
  return found
}

interface Payload {
  readonly environmentId: number
}

const folder = mkdtempSync(path.join(import.meta.dirname, 'how-to-'))

/** Step 1: one file, as if it stood in the folder of its area. */
const loadJob = async (): Promise<JobDefinition<Payload>> => {
  const file = path.join(folder, 'remove-unused-tags.ts')
  writeFileSync(file, block('ts').replaceAll("from '../", "from '../../../../src/"))
  const module = (await import(pathToFileURL(file).href)) as {
    readonly removeUnusedTags: JobDefinition<Payload>
  }
  return module.removeUnusedTags
}

let job: JobDefinition<Payload>
let step: Step
let core: TestCore
let database: Database

beforeAll(async () => {
  job = await loadJob()
  step = await loadStep()
  // Step 2: one line in the list.
  core = await openCore('add_a_job', { jobs: [...coreJobs, job] })
  database = openDatabase({ url: core.databaseUrl, maxConnections: 2 })
})
beforeEach(async () => {
  await core.pool.query('DELETE FROM taggings')
  await core.pool.query('DELETE FROM tags')
  await core.pool.query(`INSERT INTO tags (environment_id, name) VALUES (1, 'unused')`)
})
afterAll(async () => {
  await database.close()
  await core.close()
  rmSync(folder, { recursive: true })
})

type Step = (
  jobs: { readonly enqueue: Enqueue },
  removeUnusedTags: JobDefinition<Payload>,
  environmentId: number,
  run: RunStatement,
) => Promise<void>

/** Step 3: the line of the page in a function, whose arguments are the names that it uses. */
const loadStep = async (): Promise<Step> => {
  const file = path.join(folder, 'enqueue.ts')
  writeFileSync(
    file,
    `export const step = async (jobs, removeUnusedTags, environmentId, run) => {\n${block('js')}}\n`,
  )
  const module = (await import(pathToFileURL(file).href)) as { readonly step: Step }
  return module.step
}

const enqueue = (): Promise<void> =>
  database.transaction((transaction) => step(core.jobs, job, 1, runIn(transaction)))

const tags = async (): Promise<number> => (await core.pool.query('SELECT 1 FROM tags')).rows.length

const failedJobs = async (): Promise<readonly Record<string, unknown>[]> =>
  (await core.pool.query<Record<string, unknown>>(block('sql'))).rows

test('step 3 and 4: the job of the page runs after the transaction that enqueued it', async () => {
  await enqueue()
  expect(await tags()).toBe(1)
  await core.jobs.runUntilIdle()
  expect(await tags()).toBe(0)
})

test('step 5: a job that failed for the last time is shown, and runs once more', async () => {
  await core.pool.query('ALTER TABLE taggings RENAME TO taggings_gone')
  await enqueue()
  for (let attempt = 0; attempt <= job.retryDelaysSeconds.length; attempt += 1) {
    await core.jobs.runUntilIdle()
    // As if the time of the next attempt had come.
    await core.pool.query('UPDATE jobs.job SET start_after = now() WHERE name = $1', [job.name])
  }
  await core.pool.query('ALTER TABLE taggings_gone RENAME TO taggings')
  expect(await failedJobs()).toMatchObject([
    { data: { environmentId: 1 }, output: { message: 'relation "taggings" does not exist' }, retry_count: 3 },
  ])
  await core.pool.query(block('sql', 1))
  await core.jobs.runUntilIdle()
  expect(await tags()).toBe(0)
  expect(await failedJobs()).toEqual([])
})
