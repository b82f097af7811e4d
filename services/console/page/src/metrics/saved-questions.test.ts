import { readQuestion } from './question.ts'
import { fromText, toText } from './saved-questions.ts'

it('a question is kept as the query of its address, and read from it', () => {
  const question = readQuestion({
    ...{ kind: 'breakdown', by: 'market.name', field: 'order.total_amount', operator: 'avg', compare: true },
    filters: [
      ['order.references', 'in', ['a & b', '=1', '12', 'è']],
      ['order.total_amount', 'gte_lte', [1, 2.5]],
    ],
  })
  expect(toText(question)).toMatch(/^of=orders&kind=breakdown&/)
  expect(fromText(toText(question))).toEqual(question)
})

it('what was kept and is no question any more is one that can be asked', () => {
  expect(fromText('of=unheard&filters=%5B1%5D')).toEqual(readQuestion({}))
})
