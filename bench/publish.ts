/** The last result of each benchmark and load test, gathered into bench/results/<date>.md. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')
const RESULTS = path.join(ROOT, '.merx')
const PAGE = path.join(ROOT, 'bench', 'results', `${new Date().toISOString().slice(0, 10)}.md`)

const HEAD = `# Results of benchmarks and load tests

Written by \`npm run bench -- --publish\` from the last run of each. What is measured and why:
[performance](../../docs/reference/performance.md).
`

const readResults = (folder: 'bench' | 'load'): readonly string[] =>
  globSync(`${folder}/**/*.md`, { cwd: RESULTS })
    .sort()
    .map((file) => readFileSync(path.join(RESULTS, file), 'utf8').trim())

/** @returns the page, relative to the root. @throws Error when nothing was measured yet. */
export const publishResults = (): string => {
  const sections = existsSync(RESULTS) ? [...readResults('bench'), ...readResults('load')] : []
  if (sections.length === 0) throw new Error('nothing was measured yet: npm run bench')
  writeFileSync(PAGE, `${[HEAD.trim(), ...sections].join('\n\n').replaceAll(/\n{3,}/g, '\n\n')}\n`)
  return path.relative(ROOT, PAGE)
}
