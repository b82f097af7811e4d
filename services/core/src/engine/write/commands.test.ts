/** Commands in their order, and docs/how-to/add-a-command.md with the block of the page itself. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Row } from '@merx/jsonapi/attributes'
import { instant, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { createRegistry } from '../registry.ts'
import { runCommands } from './commands.ts'
import type { Command } from './commands.ts'
import type { WorkflowStep } from './write-workflow.ts'

const now = new Date(0)
const step: WorkflowStep = {
  run: async () => [],
  registry: createRegistry([], { ids: testIds }),
  scope: { environmentId: 1, organizationId: 'o', mode: 'test' },
  now,
  actor: {},
  isImport: false,
}

const run = (commands: readonly Command[], triggers: Readonly<Record<string, unknown>>, row: Row) =>
  runCommands(commands, {
    number: 1,
    before: row,
    row,
    writes: [],
    request: {
      attributes: new Map(),
      triggers: new Map(Object.entries(triggers)),
      toOne: new Map(),
      toMany: new Map(),
    },
    step,
  })

const first: Command = {
  trigger: '_first',
  run: async () => ({ set: { state: 'one' }, expected: { state: 'none' }, topics: ['lamps.first'] }),
}
const second: Command = {
  trigger: '_second',
  run: async ({ row }) =>
    row['state'] === 'one'
      ? { set: { state: 'two' }, expected: { state: 'one' }, topics: ['lamps.second'] }
      : { violations: [{ error: 'too_early', message: 'is not one' }] },
}

describe('commands', () => {
  it('run in the order of their list, each on what the ones before have set', async () => {
    const triggers = { _second: true, _first: true }
    expect(await run([first, second], triggers, { state: 'none' })).toEqual({
      violations: [],
      set: { state: 'two' },
      expected: { state: 'none' },
      writes: [],
      topics: ['lamps.first', 'lamps.second'],
    })
  })

  it('run only when their trigger was sent', async () => {
    expect((await run([first, second], { _first: true }, { state: 'none' })).set).toEqual({ state: 'one' })
  })

  it('end with the first that is refused', async () => {
    const { violations } = await run([second, first], { _first: true, _second: true }, { state: 'none' })
    expect(violations.map(({ error }) => error)).toEqual(['too_early'])
  })
})

const lamps = (attributes: Parameters<typeof defineResource>[1]['attributes']) =>
  defineResource('lamps', {
    summary: 'A test.',
    model: 'lamp',
    operations: ['update'],
    scope: 'environment',
    attributes,
  })

describe('a registry', () => {
  it('refuses a trigger without a command', () => {
    const resources = [lamps({ _first: trigger({ isCommand: true }) })]
    expect(() => createRegistry([{ resources }], { ids: testIds })).toThrow(
      'lamps._first: no command of its area has this trigger',
    )
  })

  it('refuses a command without a trigger', () => {
    const area = { resources: [lamps({ label: text(), lit_at: instant() })], commands: { lamps: [first] } }
    expect(() => createRegistry([area], { ids: testIds })).toThrow('lamps._first: a command needs a trigger')
  })
})

describe('the command of the page', () => {
  const page = readFileSync(new URL('../../../../../docs/how-to/add-a-command.md', import.meta.url), 'utf8')
  let folder: string
  let send: Command

  beforeAll(async () => {
    const block = /^```ts\n(.*?)^```/ms.exec(page)?.[1] ?? ''
    folder = mkdtempSync(path.join(import.meta.dirname, 'how-to-'))
    const file = path.join(folder, 'send.ts')
    writeFileSync(file, block.replaceAll("from '../../engine/write/", "from '../"))
    send = ((await import(pathToFileURL(file).href)) as { readonly send: Command }).send
  })
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('sets columns and emits its topic, once', async () => {
    const { set, topics } = await run([send], { _send: true }, { label: 'L', sent_at: null })
    expect({ set, topics }).toEqual({ set: { sent_at: now, sent_with: true }, topics: ['parcels.send'] })
    const repeated = await run([send], { _send: true }, { label: 'L', ...set })
    expect([repeated.set, repeated.topics]).toEqual([{}, []])
  })

  it('refuses a parcel without a label', async () => {
    const { violations } = await run([send], { _send: true }, { label: null })
    expect(violations).toMatchObject([{ at: { attribute: 'label' }, error: 'blank' }])
  })
})
