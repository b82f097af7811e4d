import { compareAnswers, type Answers } from './answers.ts'
import { withoutExpected } from './expected.ts'

const record = (attributes: Readonly<Record<string, unknown>>) => ({ type: 'skus', id: 'a', attributes })
const answers = (
  attributes: Readonly<Record<string, unknown>>,
  { count = 1, sum = 5 }: { readonly count?: number; readonly sum?: number } = {},
): Answers => ({
  lists: { 'shop test skus': { count, records: [record(attributes)] } },
  metrics: { 'shop test orders/stats': { value: sum } },
})

const before = answers({ name: 'Shirt', tags: ['a'] })

describe('answers after an upgrade', () => {
  it.each<readonly [string, Answers, readonly string[]]>([
    ['the same', answers({ name: 'Shirt', tags: ['a'] }), []],
    ['more attributes', answers({ name: 'Shirt', tags: ['a'], added: 1 }), []],
    [
      'another value',
      answers({ name: 'Shirt', tags: ['b'] }),
      ['shop test skus: tags of 1 records is another one, such as ["b"] and not ["a"]'],
    ],
    [
      'fewer records',
      answers({ name: 'Shirt', tags: ['a'] }, { count: 0 }),
      ['shop test skus: there were 1 and are 0'],
    ],
    ['a type that is refused', { ...before, lists: {} }, ['shop test skus is refused']],
    [
      'another sum',
      answers({ name: 'Shirt', tags: ['a'] }, { sum: 6 }),
      ['metrics, shop test orders/stats: was {"value":5} and is {"value":6}'],
    ],
  ])('%s', (_what, after, sentences) => {
    expect(compareAnswers(before, after)).toEqual(sentences)
  })
})

it('what the how-to announces is left out, and nothing else', () => {
  const unexpected = [
    'shop test markets: name of 1 records is another one',
    'merx_core: markets: 1 of 1 rows are missing: 1',
  ]
  expect(
    withoutExpected([
      ...unexpected,
      'shop test markets: shared_secret of 5 records is another one, such as "a" and not "b"',
      'merx_core: feed_leases: 1 of 1 rows are another report: a',
    ]),
  ).toEqual(unexpected)
})
