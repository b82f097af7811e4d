/** docs/how-to/add-a-state.md, followed with the blocks of the page itself. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { renderStateMachines } from '../../gen/state-machines.ts'
import { transitionTable } from '../../test/support/transition-table.ts'
import type { StateMachine } from './define-state-machine.ts'
import { transition } from './transition.ts'

type ParcelStates = StateMachine<string, { readonly parcel: object; readonly now: Date }>

const page = readFileSync(new URL('../../../../docs/how-to/add-a-state.md', import.meta.url), 'utf8')

/** The block of a language; the page has exactly one. */
const block = (language: string): string => {
  const found = [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)].filter(([, name]) => name === language)
  if (found.length !== 1) throw new Error(`the page must have one block in ${language}`)
  return found[0]?.[2] ?? ''
}

let folder: string
let parcelStates: ParcelStates

beforeAll(async () => {
  folder = mkdtempSync(path.join(import.meta.dirname, 'how-to-'))
  const file = path.join(folder, 'parcel-states.ts')
  writeFileSync(file, block('ts').replaceAll("from '../states/", "from '../"))
  const module = (await import(pathToFileURL(file).href)) as { readonly parcelStates: ParcelStates }
  parcelStates = module.parcelStates
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const now = new Date(0)
const subject = { parcel: { hold_reason: 'damaged', packed_at: now }, now }
const hold = { start: { trigger: '_hold' } }

test('the machine does what the table of the page says', async () => {
  expect(await transitionTable(parcelStates, subject)).toEqual(JSON.parse(block('json')))
})

test('its guard refuses, and its effect sets a column', async () => {
  const { set, topics } = await transition(parcelStates, { status: 'ready' }, { ...hold, subject })
  expect({ set, topics }).toEqual({ set: { held_at: now, status: 'on_hold' }, topics: ['parcels.hold'] })
  const refused = await transition(
    parcelStates,
    { status: 'ready' },
    { ...hold, subject: { parcel: {}, now } },
  )
  expect(refused.violations).toMatchObject([{ at: { attribute: 'hold_reason' }, error: 'blank' }])
})

test('it is rendered in the reference', () => {
  const reference = renderStateMachines({ parcels: [parcelStates] })
  expect(reference).toContain('## parcels.status')
  expect(reference).toContain('  ready --> on_hold: _hold\n')
  expect(reference).toContain(
    '| `hold` | `packing` `ready` | `on_hold` | `_hold`, integrations only |  | `hasReason` | `recordHold` | `parcels.hold` |',
  )
})
