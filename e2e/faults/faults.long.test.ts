/** Three of the faults of `npm run faults`, on the same lab: nothing acknowledged is lost, no answer is wrong, users see 503. */
import { faults } from './list/index.ts'
import { openLab, type Lab } from './support/lab.ts'
import { runFault } from './support/run-fault.ts'

const CHOSEN = ['kill-core', 'kill-postgres', 'kill-engine']
const LAB_MS_MAX = 240_000
const FAULT_MS_MAX = 180_000

let lab: Lab

beforeAll(async () => {
  lab = await openLab()
}, LAB_MS_MAX)

afterAll(() => lab.close(), LAB_MS_MAX)

test.each(faults.filter(({ name }) => CHOSEN.includes(name)).map((fault) => [fault.title, fault] as const))(
  '%s',
  async (_title, fault) => {
    const result = await runFault(lab, fault)
    expect({ lost: result.lost, wrong: result.wrong }).toEqual({ lost: [], wrong: [] })
    expect(result.failed).toBeGreaterThan(0) // else nothing was injected
    expect(result.acknowledged).toBeGreaterThan(0)
    expect(result.compared).toBeGreaterThan(0)
  },
  FAULT_MS_MAX,
)
