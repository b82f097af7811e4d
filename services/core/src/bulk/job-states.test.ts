import { transitionEffects } from '../../test/support/transition-effects.ts'
import { transitionTable } from '../../test/support/transition-table.ts'
import { transition } from '../states/transition.ts'
import { cleanupStates, exportStates, importStates } from './job-states.ts'

const subject = { now: new Date(0) }
const refused = 'invalid_transition'

test.each([importStates, cleanupStates])(
  'an import or a cleanup is interrupted until it is over',
  async (states) => {
    expect(await transitionTable(states, subject)).toEqual({
      pending: { _interrupt: 'interrupted' },
      in_progress: { _interrupt: 'interrupted' },
      interrupted: { _interrupt: 'repeated' },
      completed: { _interrupt: refused },
    })
  },
)

test('an export is interrupted until it is over, and an interrupted one starts again', async () => {
  expect(await transitionTable(exportStates, subject)).toEqual({
    pending: { _interrupt: 'interrupted', _start: 'repeated' },
    in_progress: { _interrupt: 'interrupted', _start: refused },
    interrupted: { _interrupt: 'repeated', _start: 'pending' },
    completed: { _interrupt: refused, _start: refused },
    failed: { _interrupt: refused, _start: refused },
  })
})

test('an interruption has its time until the export starts again', async () => {
  const interrupted = await transition(
    exportStates,
    { status: 'pending' },
    { start: { trigger: '_interrupt' }, subject },
  )
  expect(interrupted).toMatchObject({
    set: { status: 'interrupted', interrupted_at: subject.now },
    expected: { status: 'pending' },
    topics: ['exports.interrupt'],
  })
  const started = await transition(
    exportStates,
    { status: 'interrupted' },
    { start: { trigger: '_start' }, subject },
  )
  expect(started.set).toEqual({ status: 'pending', interrupted_at: null })
})

test.each([
  ['imports', importStates],
  ['cleanups', cleanupStates],
])('every transition of %s, with what it changes', async (type, states) => {
  const interrupted = { status: 'interrupted', interrupted_at: subject.now }
  expect(await transitionEffects(states, subject)).toEqual({
    initial: 'pending',
    start: ['code', 'pending', { status: 'in_progress' }, `${type}.start`],
    complete: ['code', 'in_progress', { status: 'completed' }, `${type}.complete`],
    interrupt: ['anybody', 'pending in_progress', interrupted, `${type}.interrupt`],
  })
})

test('every transition of exports, with what it changes', async () => {
  const interrupted = { status: 'interrupted', interrupted_at: subject.now }
  expect(await transitionEffects(exportStates, subject)).toEqual({
    initial: 'pending',
    start: ['code', 'pending', { status: 'in_progress' }, 'exports.start'],
    complete: ['code', 'in_progress', { status: 'completed' }, 'exports.complete'],
    fail: ['code', 'in_progress', { status: 'failed' }, ''],
    interrupt: ['anybody', 'pending in_progress', interrupted, 'exports.interrupt'],
    resume: ['anybody', 'interrupted', { status: 'pending', interrupted_at: null }, ''],
  })
})
