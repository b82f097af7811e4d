import { runOn } from '../../../src/engine/database/run-statement.ts'
import {
  recordFailures,
  recordSuccess,
  resetCircuit,
  WEBHOOK_FAILURES_MAX,
} from '../../../src/outside/circuit.ts'
import type { CircuitRow } from '../../../src/outside/circuit.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'

let core: CoreDatabase
beforeAll(async () => {
  core = await openCoreDatabase('circuit')
  await core.database.query(
    'CREATE TABLE called (environment_id bigint, id bigint, circuit_state text, circuit_failure_count integer)',
  )
})
afterAll(() => core.drop())

let last = 0
const newRow = async (state: string | null = 'closed', count: number | null = 0): Promise<CircuitRow> => {
  last += 1
  await core.database.query('INSERT INTO called VALUES (1, $1, $2, $3)', [last, state, count])
  return { table: 'called', environmentId: 1, id: last, opensAt: WEBHOOK_FAILURES_MAX }
}
const run = () => runOn(core.database.pool)
const read = async ({ id }: CircuitRow) =>
  (
    await core.database.query('SELECT circuit_state, circuit_failure_count FROM called WHERE id = $1', [id])
  )[0]

test('the 30th failure in a row opens it, and only that one says so', async () => {
  const row = await newRow()
  for (let count = 1; count < 30; count += 1)
    expect(await recordFailures(row, 1, run())).toEqual({
      circuit_state: 'closed',
      circuit_failure_count: count,
      hasOpened: false,
    })
  expect(await recordFailures(row, 1, run())).toEqual({
    circuit_state: 'open',
    circuit_failure_count: 30,
    hasOpened: true,
  })
  expect(await recordFailures(row, 1, run())).toMatchObject({ circuit_state: 'open', hasOpened: false })
})

test('a success in between starts the count again', async () => {
  const row = await newRow('closed', 29)
  await recordSuccess(row, run())
  expect(await read(row)).toEqual(resetCircuit())
  expect(await recordFailures(row, 1, run())).toMatchObject({ circuit_failure_count: 1 })
})

test('a late success does not close an open circuit', async () => {
  const row = await newRow('open', 30)
  await recordSuccess(row, run())
  expect(await read(row)).toEqual({ circuit_state: 'open', circuit_failure_count: 30 })
})

test('failures counted at once by many processes are all counted, and one of them opens it', async () => {
  const row = await newRow()
  const counted = await Promise.all(Array.from({ length: 40 }, () => recordFailures(row, 1, run())))
  expect(await read(row)).toEqual({ circuit_state: 'open', circuit_failure_count: 40 })
  expect(counted.filter((after) => after?.hasOpened === true)).toHaveLength(1)
})

test('a row that never was called has a closed circuit', async () => {
  const row = await newRow(null, null)
  expect(await recordFailures(row, 2, run())).toMatchObject({
    circuit_state: 'closed',
    circuit_failure_count: 2,
  })
})

test('a row that is gone counts nothing', async () => {
  expect(await recordFailures({ ...(await newRow()), id: 0 }, 1, run())).toBeUndefined()
})

test('the row of another environment is not touched', async () => {
  const row = await newRow()
  expect(await recordFailures({ ...row, environmentId: 2 }, 30, run())).toBeUndefined()
  expect(await read(row)).toEqual(resetCircuit())
})
