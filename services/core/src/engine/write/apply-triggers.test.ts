import { boolean, instant, text, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { switchable } from '@merx/jsonapi/rules'
import { triggerColumns } from './apply-triggers.ts'

const lamps = defineResource('lamps', {
  summary: 'A test.',
  model: 'lamp',
  operations: ['update'],
  scope: 'environment',
  attributes: {
    disabled_at: instant(),
    is_on: boolean(),
    label: text(),
    _disable: trigger(),
    _enable: trigger(),
    _label: trigger({ carries: 'text' }),
    _dim: trigger({ carries: 'integer', action: 'set_level' }),
    _seconds: trigger({ carries: 'integer', argumentOf: '_disable' }),
  },
  actions: {
    ...switchable,
    label: (row, { value }) => ({ label: `${String(row['label'])}+${String(value)}` }),
    set_level: (_row, { value }) => ({ level: value }),
  },
})

const now = new Date('2026-11-20T12:00:00Z')
const run = (triggers: Readonly<Record<string, unknown>>, row = {}) =>
  triggerColumns(new Map(Object.entries(triggers)), lamps, row, now)

describe('triggerColumns', () => {
  it('runs the action of each trigger that was sent', () => {
    expect(run({ _disable: true, _label: 'x', _dim: 3 }, { label: 'a' })).toEqual({
      columns: { disabled_at: now, label: 'a+x', level: 3 },
      violations: [],
    })
    expect(run({})).toEqual({ columns: {}, violations: [] })
  })

  it('refuses both triggers of a switch', () => {
    expect(run({ _enable: true, _disable: true }).violations).toEqual([
      { at: { attribute: '_enable' }, error: 'invalid', message: 'cannot be sent together with _disable' },
    ])
  })

  it('takes an argument only with the trigger that it is for', () => {
    expect(run({ _disable: true, _seconds: 3 }).violations).toEqual([])
    expect(run({ _seconds: 3 }).violations).toEqual([
      {
        at: { attribute: '_seconds' },
        error: 'invalid',
        message: 'is for _disable; send both in one request',
      },
    ])
    expect(run({ _disable: true, _seconds: 1.5 }).violations).toMatchObject([
      { error: 'invalid', value: 1.5 },
    ])
  })

  it('keeps when something was switched off first', () => {
    const before = new Date('2026-01-01T00:00:00Z')
    expect(run({ _disable: true }, { disabled_at: before }).columns).toEqual({ disabled_at: before })
  })

  it.each([
    ['_disable', 'yes'],
    ['_disable', 1],
    ['_label', true],
    ['_dim', 1.5],
    ['_dim', '3'],
  ])('refuses %s: %p', (name, value) => {
    expect(run({ [name]: value })).toMatchObject({
      columns: {},
      violations: [{ at: { attribute: name }, error: 'invalid' }],
    })
  })
})
