import { text } from '@merx/jsonapi/attributes'
import type { Row } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { createRegistry } from '../registry.ts'
import { latestOf, persistAndReact } from './react.ts'
import type { Reaction, ReactionStep } from './react.ts'

const lamps = defineResource('lamps', {
  summary: 'A test.',
  model: 'lamp',
  operations: ['update'],
  scope: 'environment',
  attributes: { state: text() },
})

const topics = { lamps: ['lit', 'warm', 'broken'] }

/** Rows as they are stored; every statement is an update of the one lamp. */
const open = (reactions: Readonly<Record<string, Reaction>>) => {
  const registry = createRegistry([{ resources: [lamps], topics, reactions }], { ids: testIds })
  const statements: string[] = []
  const step: ReactionStep = {
    run: async <R extends Row>({ text: statement, values }: { text: string; values: readonly unknown[] }) => {
      statements.push(statement)
      return [{ id: 1, state: values }] as unknown as readonly R[]
    },
    registry,
    scope: { environmentId: 1, organizationId: 'o', mode: 'test' },
    now: new Date(0),
    actor: {},
  }
  const definition = registry.require('lamps')
  const write = (state: string, ...events: string[]) => ({
    definition,
    before: { id: 1, state: 'off' },
    columns: { state },
    topics: events.map((event) => `lamps.${event}`),
  })
  return { step, write, statements }
}

it('runs the reaction to each event, and those to what they write', async () => {
  const seen: string[] = []
  const { step, write } = open({
    'lamps.lit': async ({ topic }) => {
      seen.push(topic)
      return [write('warm', 'warm')]
    },
    'lamps.warm': async ({ topic }) => {
      seen.push(topic)
      return []
    },
  })
  const written = await persistAndReact([write('lit', 'lit')], step)
  expect(seen).toEqual(['lamps.lit', 'lamps.warm'])
  expect(written.map((each) => each.topics)).toEqual([['lamps.lit'], ['lamps.warm']])
})

it('reacts to rows that were stored before', async () => {
  const seen: unknown[] = []
  const { step, write, statements } = open({
    'lamps.lit': async ({ row }) => {
      seen.push(row['id'])
      return []
    },
  })
  const { definition } = write('lit')
  await persistAndReact([], step, [{ definition, row: { id: 7 }, topics: ['lamps.lit'] }])
  expect([seen, statements]).toEqual([[7], []])
})

it('ends reactions that go round in a circle', async () => {
  const { step, write } = open({ 'lamps.lit': async () => [write('lit', 'lit')] })
  await expect(persistAndReact([write('lit', 'lit')], step)).rejects.toThrow(
    'lamps.lit is reacted to without end',
  )
})

it('returns a row as the last reaction left it', () => {
  const { write } = open({})
  const { definition } = write('lit')
  const written = [
    { definition, row: { id: 1, state: 'lit' }, topics: [] },
    { definition, row: { id: 2, state: 'off' }, topics: [] },
    { definition, row: { id: 1, state: 'warm' }, topics: [] },
  ]
  expect(latestOf({ id: 1, state: 'off' }, definition, written)).toEqual({ id: 1, state: 'warm' })
  expect(latestOf({ id: 3, state: 'off' }, definition, written)).toEqual({ id: 3, state: 'off' })
})

it('refuses a reaction to a topic that no area lists', () => {
  expect(() => open({ 'lamps.melted': async () => [] })).toThrow('lamps.melted: an area reacts to it')
})
