import { parseApplication } from './find-application.ts'

const ANSWER = {
  id: 'aPPlicatio',
  name: 'My shop',
  created_at: '2026-01-02T03:04:05.678Z',
  updated_at: '2026-02-03T04:05:06.789Z',
  metadata: { a: 1 },
}

describe('the record of a credential', () => {
  it('has its times as instants', () => {
    expect(parseApplication(ANSWER)).toEqual({
      ...ANSWER,
      created_at: new Date('2026-01-02T03:04:05.678Z'),
      updated_at: new Date('2026-02-03T04:05:06.789Z'),
    })
  })

  it('is understood without times, as the release before gave it', () => {
    expect(parseApplication({ id: 'aPPlicatio', name: 'My shop' })).toEqual({
      id: 'aPPlicatio',
      name: 'My shop',
      created_at: null,
      updated_at: null,
    })
  })

  it.each([
    ['a list', []],
    ['a text', 'x'],
    ['null', null],
    ['a time that is none', { ...ANSWER, created_at: 'soon' }],
    ['a number for a time', { ...ANSWER, updated_at: 5 }],
  ])('cannot be %s', (_what, answer) => {
    expect(() => parseApplication(answer)).toThrow(TypeError)
  })
})
