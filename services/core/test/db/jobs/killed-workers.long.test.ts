/** docs/adr/0063-jobs-on-pg-boss.md: workers that are killed lose no job and run none of them twice. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freshDatabase } from '@merx/testing/fresh-database'
import type { FreshDatabase } from '@merx/testing/fresh-database'
import { silentLogger } from '@merx/testing/silent-logger'
import { openDatabase } from '../../../src/engine/database/database.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { runIn } from '../../../src/engine/database/run-statement.ts'
import { migrationsFolder } from '../../../src/migrate.ts'
import { CREATE_RUNS, countRuns, openQueue } from '../../support/count-runs.ts'

const JOBS = 500
const KILLS = 3
const TAKEOVER_MS = 60_000

let fresh: FreshDatabase
let database: Database
const workers = new Set<ChildProcess>()

beforeAll(async () => {
  fresh = await freshDatabase({ name: 'killed_workers', migrations: migrationsFolder })
  database = openDatabase({ url: fresh.url, maxConnections: 3, log: silentLogger })
  await database.query(CREATE_RUNS)
})
afterAll(async () => {
  for (const worker of workers) await kill(worker)
  await database.close()
  await fresh.drop()
})

const start = (): ChildProcess => {
  const program = fileURLToPath(new URL('../../support/work-on-runs.ts', import.meta.url))
  const worker = spawn(process.execPath, ['--no-warnings', program, fresh.url], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  workers.add(worker)
  return worker
}

/** As kill -9 does: nothing in it runs any more. */
const kill = async (worker: ChildProcess): Promise<void> => {
  const exited = once(worker, 'exit')
  worker.kill('SIGKILL')
  await exited
  workers.delete(worker)
}

const countsOf = async (): Promise<{ readonly runs: number; readonly jobs: number }> => {
  const [counts] = await database.query<{ runs: number; jobs: number }>(
    'SELECT count(*) AS runs, count(DISTINCT number) AS jobs FROM runs',
  )
  return counts ?? { runs: 0, jobs: 0 }
}

const untilJobs = async (least: number): Promise<void> => {
  for (const from = Date.now(); Date.now() - from < TAKEOVER_MS; await wait(20)) {
    if ((await countsOf()).jobs >= least) return
  }
  throw new Error(`only ${JSON.stringify(await countsOf())} of ${least} jobs ran`)
}

test(`${JOBS} due jobs run once each while one of two processes is killed ${KILLS} times`, async () => {
  const queue = openQueue([countRuns], database, silentLogger)
  await database.transaction(async (transaction) => {
    for (let number = 0; number < JOBS; number += 1)
      await queue.enqueue(countRuns, { number }, runIn(transaction))
  })
  await queue.close()
  start()
  let victim = start()
  for (let killed = 0; killed < KILLS; killed += 1) {
    await untilJobs(((killed + 1) * JOBS) / (KILLS + 2))
    await wait(randomInt(100))
    await kill(victim)
    victim = start()
  }
  expect((await countsOf()).jobs).toBeLessThan(JOBS)
  await untilJobs(JOBS)
  expect(await countsOf()).toEqual({ runs: JOBS, jobs: JOBS })
  expect(await database.query('SELECT state FROM jobs.job WHERE name = $1', [countRuns.name])).toEqual([])
})
