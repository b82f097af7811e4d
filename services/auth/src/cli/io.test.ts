/** Questions at a terminal, which the streams of these tests are as far as Node's line editor can tell. */
import { PassThrough } from 'node:stream'
import { ask } from './io.ts'

const askAndType = async (typed: string, isShown: boolean) => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const answer = ask('Sure? ', { isShown, input, output })
  input.write(typed)
  const outcome = await answer.then(
    (text) => ({ text }),
    (error: unknown) => ({ error }),
  )
  return { ...outcome, shown: String(output.read()) }
}

describe('a question', () => {
  it('is answered with a line, which is seen', async () => {
    const { shown, ...outcome } = await askAndType('y\r', true)
    expect(outcome).toEqual({ text: 'y' })
    expect(shown).toMatch(/Sure\? [^]*y/)
  })

  it('for a password is answered unseen', async () => {
    expect(await askAndType('secret\r', false)).toEqual({ text: 'secret', shown: 'Sure? \n' })
  })

  it.each([
    ['Ctrl-C', '\u0003', true],
    ['Ctrl-C', '\u0003', false],
    ['Ctrl-D', '\u0004', true],
  ])(
    'that is left with %s (%j, seen: %s) is reported as that, not as a defect',
    async (_name, key, isShown) => {
      const { shown, ...outcome } = await askAndType(key, isShown)
      expect(outcome).toMatchObject({
        error: { name: 'CliError', message: 'Nothing was changed.', exitCode: 1 },
      })
      expect(shown.endsWith('\n')).toBe(true)
    },
  )
})
