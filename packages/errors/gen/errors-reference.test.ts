import { readFile } from 'node:fs/promises'
import { catalogue } from '../src/catalogue.ts'
import { errorsReferencePath, renderErrorsReference } from './errors-reference.ts'

describe('the errors reference page', () => {
  it('is what the catalogue says; after an edit run `node packages/errors/gen/errors-reference.ts`', async () => {
    expect(await readFile(errorsReferencePath, 'utf8')).toBe(renderErrorsReference())
  })

  it.each(Object.keys(catalogue))('has a row for %s', (code) => {
    expect(renderErrorsReference()).toContain(`| \`${code}\` |`)
  })

  it('shows a bar inside a text without breaking the table', () => {
    const rows = renderErrorsReference()
      .split('\n')
      .filter((line) => line.startsWith('| '))
    for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(7)
  })
})
