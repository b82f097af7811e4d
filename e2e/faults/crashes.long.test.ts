/**
 * Every process of the system killed at random moments under load: afterwards core's database and metrics hold the same to
 * the cent, with everything that was acknowledged. `MERX_CRASHES_SECONDS=600` makes it as long as wanted.
 */
import { createCrashes, readCrashesOptions } from './list/crashes.ts'
import { openLab, type Lab } from './support/lab.ts'
import { runFault } from './support/run-fault.ts'

const SECONDS = 8
const LAB_MS_MAX = 240_000
const options = readCrashesOptions(process.env, SECONDS)

let lab: Lab | undefined

beforeAll(async () => {
  lab = await openLab()
}, LAB_MS_MAX)

afterAll(async () => {
  await lab?.close()
}, LAB_MS_MAX)

test(
  'crashes at random moments lose nothing that was acknowledged, and leave core and metrics with the same totals',
  async () => {
    if (lab === undefined) throw new Error('the lab did not open')
    const { seed } = options
    const result = await runFault(lab, createCrashes(options))
    expect({ seed, lost: result.lost, wrong: result.wrong }).toEqual({ seed, lost: [], wrong: [] })
    expect(result.failed).toBeGreaterThan(0) // else nothing was killed
    expect(result.acknowledged).toBeGreaterThan(0)
    expect(result.compared).toBeGreaterThan(0)
  },
  options.seconds * 1_000 + LAB_MS_MAX,
)
