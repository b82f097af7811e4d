import { joinListValues, splitListValues } from './list-values.ts'

it.each([
  ['a', ['a']],
  ['', ['']],
  ['a,b', ['a', 'b']],
  ['a,,b', ['a', '', 'b']],
  ['a\\,b', ['a,b']],
  ['a\\,b,c', ['a,b', 'c']],
  ['a\\\\,b', ['a\\', 'b']],
  ['a\\\\\\,b', ['a\\,b']],
  ['a\\b,c\\\\d', ['a\\b', 'c\\\\d']],
  ['a\\', ['a\\']],
])('%j holds %j', (text, values) => {
  expect(splitListValues(text)).toEqual(values)
})

it('reads back every list that it writes', () => {
  const parts = ['', 'a', ',', '\\', 'a,', 'a\\', '\\,', '\\\\,b', ',,', 'b\\\\']
  for (const one of parts)
    for (const two of parts)
      for (const three of parts)
        expect(splitListValues(joinListValues([one, two, three]))).toEqual([one, two, three])
})
