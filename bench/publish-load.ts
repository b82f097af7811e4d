/** The last result of each profile of each load test → docs/reference/load-results.md. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { renderLoadSection, type StoredLoad } from '@merx/load/present-load-page'

const ROOT = path.resolve(import.meta.dirname, '..')
const RESULTS = path.join(ROOT, '.merx', 'load')
const PAGE = path.join(ROOT, 'docs', 'reference', 'load-results.md')

const HEAD = `# Load results

Written by \`npm run load -- --publish\` from the last run of each profile; a service that was not run since keeps its section.
How they work: [run load tests](../how-to/run-load-tests.md). Rates cannot be compared with those of another machine or hour;
the checks are ratios within one run.`

/** Sections of the page as it is, by the name of the service. */
const readSections = (): Map<string, string> =>
  new Map(
    readFileSync(PAGE, 'utf8')
      .split(/^(?=## )/m)
      .slice(1)
      .map((section) => [/^## (.+)$/m.exec(section)?.[1] ?? '', section.trim()]),
  )

/** @returns the page, relative to the root. @throws Error when nothing was run yet. */
export const publishLoad = (): string => {
  const results = globSync('*.json', { cwd: RESULTS }).map(
    (file) => JSON.parse(readFileSync(path.join(RESULTS, file), 'utf8')) as StoredLoad,
  )
  if (results.length === 0) throw new Error('nothing was run yet: npm run load -- auth')
  const sections = readSections()
  for (const service of new Set(results.map((one) => one.service))) {
    const section = renderLoadSection(results.filter((one) => one.service === service))
    if (section !== undefined) sections.set(service, section)
  }
  const sorted = [...sections]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([, section]) => section)
  writeFileSync(PAGE, `${[HEAD, ...sorted].join('\n\n')}\n`)
  return path.relative(ROOT, PAGE)
}
