/** Writes docs/reference/mutation-testing.md from the results of the last runs: `node infra/mutation/gen/mutation-page.ts`. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AREAS } from '../src/areas.ts'
import { reasonOf } from '../src/equivalent.ts'
import { GOAL, readResults, scoreOf } from '../src/results.ts'
import type { Results } from '../src/results.ts'
import type { Survivor } from '../src/summarize.ts'

export const pagePath = fileURLToPath(new URL('../../../docs/reference/mutation-testing.md', import.meta.url))

const HEAD = `# Mutation testing

How many deliberate faults in the rules of money, stock, states and access the unit tests notice; the goal is ${GOAL} % in each area.

    npm run mutate -- totals taxes   # some areas
    npm run mutate                   # all, an hour on two idle cores

[Stryker](https://stryker-mutator.io) changes one place at a time (a comparison, a sum, a text, a branch) and runs the tests that
[areas.ts](../../infra/mutation/src/areas.ts) names for the file; a mutant that fails none of them survived. The first run installs
it in \`infra/mutation\` (60 MB), nothing else does. A run leaves its report in \`.merx/mutation\`, takes unchanged mutants from
there the next time, and renews this page. Laws (\`*.laws.test.ts\`) do not run: thousands of random orders for each mutant take too
long, so what counts are examples that were worked out by hand. A survivor is killed by a test, or explained in
[equivalent.ts](../../infra/mutation/src/equivalent.ts).

Not mutated: definitions of resources, which [core resources](core-resources.md) is compared with; names of models, which only the
compiler reads; and SQL, with the code around it, which only tests on a database can judge: prices and sellability of lists, which
coupons are valid, what is promised of stock, which rows a restriction leaves, what an external calculator or promotion is sent, the
stores of auth. Mutants that do not even load count as none.
`

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('`', "'")

const renderTable = (results: Results): string =>
  [
    '| Area | What | Mutants | Killed | Survived | Score | Run |',
    '|---|---|--:|--:|--:|--:|---|',
    ...AREAS.flatMap(({ name, about }) => {
      const result = results[name]
      if (result === undefined) return [`| ${name} | ${about} | | | | | not run yet |`]
      const { mutants, killed, date } = result
      const score = scoreOf(result).toFixed(1)
      return [`| ${name} | ${about} | ${mutants} | ${killed} | ${mutants - killed} | ${score} % | ${date} |`]
    }),
  ].join('\n')

const renderSurvivors = (survivors: readonly Survivor[]): string =>
  survivors.length === 0
    ? 'None.'
    : [
        '| Place | Mutant | Why |',
        '|---|---|---|',
        ...survivors.map(({ file, line, mutant }) => {
          const name = file.split('/').slice(-2).join('/')
          return `| ${name}:${line} | \`${cell(mutant)}\` | ${reasonOf(file, mutant) ?? 'open'} |`
        }),
      ].join('\n')

export const renderPage = (results: Results): string => {
  const sections = AREAS.flatMap(({ name }) => {
    const result = results[name]
    return result === undefined ? [] : [`## Survivors of ${name}\n\n${renderSurvivors(result.survivors)}`]
  })
  return `${[HEAD.trimEnd(), renderTable(results), ...sections].join('\n\n')}\n`
}

if (import.meta.main) writeFileSync(pagePath, renderPage(readResults()))
