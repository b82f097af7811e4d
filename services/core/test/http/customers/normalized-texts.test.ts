/** Emails and passwords of customers in several spellings: stored and found in one form. */
import { errorsOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

let core: TestCore
beforeAll(async () => {
  core = await openCore('normalized_texts')
})
afterAll(() => core.close())

const create = (type: string, attributes: Readonly<Record<string, unknown>>) =>
  core.send('POST', `/api/${type}`, core.tokens.admin, { data: { type, attributes } })

describe('the email of a customer', () => {
  it('is one in each Unicode form', async () => {
    const made = await create('customers', { email: 'ren\u0065\u0301@example.com' })
    expect(singleOf(made).data.attributes).toMatchObject({ email: 'ren\u00e9@example.com' })
    const again = await create('customers', { email: 'REN\u00c9@example.com' })
    expect(again.status).toBe(422)
  })

  it.each(['\u200b', '\u00ad', '\u034f', '\u2060', '\u3164', '\ufe0f'])(
    'has no character that nobody sees: %j',
    async (character) => {
      for (const email of [
        `z${character}w@example.com`,
        `zw@exa${character}mple.com`,
        `zw@example.com${character}`,
      ]) {
        const refused = await create('customers', { email })
        expect([refused.status, errorsOf(refused)[0]?.source]).toEqual([
          422,
          { pointer: '/data/attributes/email' },
        ])
      }
    },
  )
})
