import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { oauthOutcomesPage, OUTCOMES_TEST, renderOAuthOutcomes, SECTIONS } from './oauth-outcomes.ts'

const ROOT = new URL('../../../', import.meta.url)

describe('the reference of OAuth outcomes', () => {
  it('is what the tables say; after an edit run `npm run gen`', async () => {
    expect(await readFile(oauthOutcomesPage, 'utf8')).toBe(renderOAuthOutcomes())
  })

  it('names a test file that is there', () => {
    expect(existsSync(new URL(OUTCOMES_TEST, ROOT))).toBe(true)
  })

  it.each([
    '| everything right | token | token | `unauthorized_client` |',
    '| a wrong secret | `invalid_client` | `invalid_client` | `invalid_client` |',
    '| RFC 6749 4.2 | Implicit grant | left out: ',
  ])('says %s', (line) => {
    expect(renderOAuthOutcomes()).toContain(line)
  })
})

describe('the sections of the RFCs', () => {
  it.each(['6749', '6750', '7009', '7519', '7523', '7636', '7662', '8414', '9700'])(
    'cover RFC %s',
    (number) => {
      expect(SECTIONS.some(({ rfc }) => rfc === `RFC ${number}`)).toBe(true)
    },
  )

  it.each(SECTIONS)('$rfc $section, $what: has its test, or a reason', ({ provedBy, leftOut }) => {
    expect([provedBy === undefined, leftOut === undefined]).toContain(true)
    if (provedBy === undefined) return expect(leftOut).toMatch(/\S/)
    expect(readFileSync(new URL(provedBy.file, ROOT), 'utf8')).toContain(provedBy.title)
  })
})
