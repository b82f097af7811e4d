import { readFileSync } from 'node:fs'
import { decisionFiles, decisionsPage, problemsOf, readDecision, renderDecisions } from './decisions.ts'

const page = (status: string, body = '## Context\n\n## Decision\n\n## Consequences\n'): string =>
  `# 7. Lists are SQL\n\n${status}\n\n${body}`

describe('the list of decisions', () => {
  it('has every page of docs/adr; after a new one run `node infra/embedded/gen/decisions.ts`', () => {
    expect(readFileSync(decisionsPage, 'utf8')).toBe(renderDecisions())
  })

  it.each(decisionFiles)('%s has title, status, three sections and at most a page', (file) => {
    expect(problemsOf(file, readDecision(file))).toEqual([])
  })
})

describe('problemsOf', () => {
  it.each([
    ['Status: accepted', []],
    ['Status: superseded by 8', []],
    ['Status: superseded by 8, 9', ['is superseded by 9, which does not exist']],
    ['Status: accepted in part', ['needs the line "Status: accepted" or "Status: superseded by <number>"']],
  ])('of a page with "%s"', (status, problems) => {
    expect(problemsOf('0007-lists.md', page(status), [7, 8])).toEqual(problems)
  })

  it('names a wrong title, missing sections and too many characters', () => {
    const text = page('Status: accepted', `## Context\n\n${'x'.repeat(4_000)}\n`)
    expect(problemsOf('0008-lists.md', text)).toEqual([
      'must begin with "# 8. <title>"',
      'needs the section "## Decision"',
      'needs the section "## Consequences"',
      expect.stringMatching(/^has 4\d{3} characters, at most 4000 are allowed$/),
    ])
  })
})
