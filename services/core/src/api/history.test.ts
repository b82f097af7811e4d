import { AppErrors } from '@merx/errors/app-error'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { parseCursorPage } from './history.ts'

const parse = (query: string) => parseCursorPage(query, { type: 'event_stores' }, testIds)

const codesOf = (query: string): readonly string[] => {
  try {
    parse(query)
    return []
  } catch (error) {
    if (!(error instanceof AppErrors)) throw error
    return error.errors.map(({ code }) => code)
  }
}

test('a page of 10 from the newest on, unless asked otherwise', () => {
  expect(parse('')).toEqual({ size: 10, after: undefined })
  expect(parse(`page[size]=25&page%5Bafter%5D=${encodeId('event_stores', 7)}`)).toEqual({
    size: 25,
    after: 7,
  })
})

test('names every violation', () => {
  expect(codesOf('page[size]=0&page[after]=x&page[number]=1&include=who')).toEqual([
    'invalid_page_value',
    'invalid_page_value',
    'param_not_allowed',
    'param_not_allowed',
  ])
})
