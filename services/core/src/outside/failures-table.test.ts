/** The table of failures names tests that exist. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../../../..')
const table = readFileSync(path.join(ROOT, 'docs/reference/outside-failures.md'), 'utf8')
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Call '))
  .map((line) => /`((?:http|db)\/[^`]+)`: (.+) \|$/.exec(line)?.slice(1) ?? [line, ''])

it('has a test in each row', () => {
  expect(rows.length).toBeGreaterThan(20)
})

it.each(rows)('%s has a test "%s"', (file, title) => {
  const source = readFileSync(path.join(ROOT, 'services/core/test', String(file)), 'utf8')
  expect(title).not.toBe('')
  expect(source).toContain(title)
})
