import { readRecordSearch } from './record-search.ts'

it('reads a text, filters and a page', () => {
  expect(readRecordSearch({ text: ' red ', page: '3', filters: { quantity_lteq: 5, name_eq: 'a' } })).toEqual(
    {
      text: 'red',
      page: 3,
      filters: { quantity_lteq: '5', name_eq: 'a' },
    },
  )
})

it('leaves out what makes no sense', () => {
  expect(readRecordSearch({ filters: { 'a]b': '1', c: { d: 1 } }, page: -1 })).toEqual({})
  expect(readRecordSearch({ filters: 'quantity' })).toEqual({})
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`a${at}`, 'x'.repeat(500)]))
  const { filters = {} } = readRecordSearch({ filters: many })
  expect(Object.keys(filters)).toHaveLength(10)
  expect(Object.values(filters).every((value) => value.length === 200)).toBe(true)
})
