import { readFileSync } from 'node:fs'
import { readResults } from '../src/results.ts'
import { pagePath, renderPage } from './mutation-page.ts'

test('the page is that of the last results', () => {
  expect(readFileSync(pagePath, 'utf8')).toBe(renderPage(readResults()))
})

test('a survivor that nobody looked at is open, and its text breaks no table', () => {
  const survivors = [{ file: 'services/core/src/a/b.ts', line: 7, mutant: 'a || `b` → true' }]
  const page = renderPage({ totals: { date: '2026-11-28', mutants: 4, killed: 3, survivors } })
  expect(page).toContain('| totals | amounts of orders and lines | 4 | 3 | 1 | 75.0 % | 2026-11-28 |')
  expect(page).toContain("| a/b.ts:7 | `a \\|\\| 'b' → true` | open |")
})
