/** Every spelling of POST /oauth/token that Express accepts is the same endpoint. */
import { clientOf, startTestSystem, type TestSystem } from '../support/auth-system.ts'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'token_spellings' })
})
afterAll(() => system.close())

const REQUEST_ID = '0b9bd1a4-6a3c-4f0e-9a55-0d1c2a3b4c5d'

const ask = async (path: string, body: unknown) => {
  const headers = { 'X-Request-Id': REQUEST_ID, Origin: 'https://shop.example' }
  const answer = await system.api.post(path, { body, headers })
  const { date: _date, 'x-ratelimit-remaining': remaining, ...others } = answer.headers
  return {
    remaining: Number(remaining),
    answer: { status: answer.status, text: answer.text, headers: others },
  }
}

describe.each([
  ['a token', 200, () => ({ grant_type: 'client_credentials', ...clientOf(system.credentials.integration) })],
  ['a wrong secret', 401, () => ({ grant_type: 'client_credentials', client_id: 'a'.repeat(43) })],
  ['an unknown grant', 400, () => ({ grant_type: 'magic' })],
  ['a malformed body', 400, () => '{"grant_type":'],
])('%s', (_what, status, bodyOf) => {
  it.each(['/oauth/token/', '/oauth/token?x=1'])('is answered at %s as at /oauth/token', async (path) => {
    const usual = await ask('/oauth/token', bodyOf())
    const other = await ask(path, bodyOf())
    expect(usual.answer.status).toBe(status)
    expect(other.answer).toEqual(usual.answer)
    expect(other.remaining).toBe(usual.remaining - 1) // one budget
  })
})
