import { readFile } from 'node:fs/promises'
import { catalogue } from '../src/catalogue.ts'
import {
  errorCodesPath,
  errorsReferencePath,
  renderErrorCodes,
  renderErrorsReference,
} from './errors-reference.ts'
import { errorHelp } from './help/error-help.ts'

describe('the errors reference page', () => {
  it('is what the catalogue says; after an edit run `node packages/errors/gen/errors-reference.ts`', async () => {
    expect(await readFile(errorsReferencePath, 'utf8')).toBe(renderErrorsReference())
  })

  it.each(Object.keys(catalogue))('has a row for %s', (code) => {
    expect(renderErrorsReference()).toContain(`| [\`${code}\`](error-codes.md#${code}) |`)
  })

  it('shows a bar inside a text without breaking the table', () => {
    const rows = renderErrorsReference()
      .split('\n')
      .filter((line) => line.startsWith('| '))
    for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(7)
  })
})

describe('the page of error codes', () => {
  it('is what the catalogue and its prose say; after an edit run `npm run gen`', async () => {
    expect(await readFile(errorCodesPath, 'utf8')).toBe(renderErrorCodes())
  })

  it.each(Object.keys(catalogue))('has one section for %s', (code) => {
    expect(
      renderErrorCodes()
        .split('\n')
        .filter((line) => line === `### ${code}`),
    ).toHaveLength(1)
  })

  it.each(Object.entries(errorHelp))('says of %s when it happens and what to do', (_code, { when, todo }) => {
    expect(when).toMatch(/^[A-Z`].+\.$/)
    expect(todo).toMatch(/^[A-Z`].+\.$/)
  })
})
