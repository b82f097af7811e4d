import { createWriteValues, onlySent, switchViolations } from './write-values.ts'

const valuesOf = (columns: Record<string, unknown>, triggers: readonly string[] = []) =>
  createWriteValues({
    columns,
    links: new Map([
      ['role', 'abcdefghij'],
      ['organization', null],
    ]),
    triggers: new Set(triggers),
  })

describe('values of a write', () => {
  it('tell what was sent from what was taken away', () => {
    const values = valuesOf({ name: 'x', redirect_uri: null, expires_in_seconds: 7_200, can_read: false })
    expect(values.text('name')).toBe('x')
    expect(values.text('redirect_uri')).toBeUndefined()
    expect(values.textOrNull('redirect_uri')).toBeNull()
    expect(values.textOrNull('nothing')).toBeUndefined()
    expect(values.integerOrNull('expires_in_seconds')).toBe(7_200)
    expect(values.flag('can_read')).toBe(false)
    expect([values.link('role'), values.link('organization'), values.link('user')]).toEqual([
      'abcdefghij',
      null,
      undefined,
    ])
  })

  it('take an object that is null as an empty one', () => {
    expect(valuesOf({ restrictions: null }).object('restrictions')).toEqual({})
    expect(valuesOf({}).object('restrictions')).toBeUndefined()
  })

  it('have notes only of what was sent', () => {
    expect(valuesOf({}).notes).toEqual({})
    expect(valuesOf({ reference: null, metadata: { a: 1 } }).notes).toEqual({
      reference: null,
      metadata: { a: 1 },
    })
  })

  it.each([
    ['a text', (values: ReturnType<typeof valuesOf>) => values.text('bad')],
    ['a number', (values: ReturnType<typeof valuesOf>) => values.integerOrNull('bad')],
    ['a flag', (values: ReturnType<typeof valuesOf>) => values.flag('bad')],
    ['an object', (values: ReturnType<typeof valuesOf>) => values.object('bad')],
  ])('are no %s when the definition let something else through', (_name, read) => {
    expect(() => read(valuesOf({ bad: ['list'] }))).toThrow('bad has no value of its type')
  })

  it('cannot switch on and off at once', () => {
    expect(switchViolations(valuesOf({}, ['_enable', '_disable']))['_enable']).toMatch(/^cannot be sent/)
    expect(switchViolations(valuesOf({}, ['_enable']))['_enable']).toBeUndefined()
  })
})

describe('members that were sent', () => {
  it('are those that are not undefined', () => {
    expect(onlySent({ a: 1, b: undefined, c: null, d: '' })).toEqual({ a: 1, c: null, d: '' })
  })
})
