import { readFileSync } from 'node:fs'
import { encodeAnswer, gatewayAnswers, generatedFiles } from './gateway-answers.ts'

describe("the gateway's own answers", () => {
  it.each(generatedFiles())(
    '$file is what the encoders give today; `npm run gen` writes it',
    ({ file, text }) => {
      expect(readFileSync(file, 'utf8')).toBe(text)
    },
  )

  it.each(gatewayAnswers)('$name has one status in every dialect', (answer) => {
    const statuses = (['jsonapi', 'oauth', 'metrics'] as const).map(
      (name) => encodeAnswer(answer, name).status,
    )
    expect(new Set(statuses).size).toBe(1)
  })

  it('no error of nginx leads to two answers', () => {
    const faults = gatewayAnswers.flatMap(({ nginx }) => nginx)
    expect(new Set(faults).size).toBe(faults.length)
  })
})
