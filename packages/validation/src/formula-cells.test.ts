import { escapeFormula, unescapeFormula } from './formula-cells.ts'

it.each(['=1+1', '+39 02 1234', '-1', '@SUM(A1)', '\tx', '\rx', '\uFF1D1', "'=1", "''-1"])(
  'puts an apostrophe before %j',
  (text) => {
    expect(escapeFormula(text)).toBe(`'${text}`)
  },
)

it.each(['', 'a=b', "'quoted'", ' =1', '1-2', 'Élodie'])('leaves %j as it is, in both directions', (text) => {
  expect(escapeFormula(text)).toBe(text)
  expect(unescapeFormula(text)).toBe(text)
})

it('restores every text of up to three characters', () => {
  const characters = ["'", '=', '+', '-', '@', '\t', '\r', '\n', 'a', '1']
  const longer = (texts: readonly string[]) => texts.flatMap((text) => characters.map((one) => text + one))
  const texts = [...characters, ...longer(characters), ...longer(longer(characters))]
  expect(texts.filter((text) => unescapeFormula(escapeFormula(text)) !== text)).toEqual([])
})
