import { readTextSearch } from '../parts/text-search.ts'
import { listQuery } from './read-records.ts'

describe('the address of a list', () => {
  it('takes what makes sense, and nothing else', () => {
    expect(readTextSearch({ text: ' shirt ', page: '3', other: 1 })).toEqual({ text: 'shirt', page: 3 })
    expect(readTextSearch({ text: 42, page: 1 })).toEqual({ text: '42' })
    expect(readTextSearch({ text: {}, page: 'x' })).toEqual({})
    expect(readTextSearch({ text: 'x'.repeat(500) }).text).toHaveLength(200)
  })

  it('asks for its columns, and searches what names a record; a comma is one', () => {
    const query = listQuery('skus', { text: 'a,b', page: 2 })
    expect(query.get('filter[q][code_or_name_or_reference_cont]')).toBe(String.raw`a\,b`)
    expect(query.get('page[number]')).toBe('2')
    expect(query.get('fields[skus]')?.split(',')).toEqual(
      expect.arrayContaining(['code', 'name', 'updated_at']),
    )
  })
})
