import { summarize, withoutSurvivors } from './summarize.ts'

const mutant = (status: string, line: number, end = line) => ({
  mutatorName: 'ConditionalExpression',
  replacement: 'true',
  status,
  location: { start: { line, column: 5 }, end: { line: end, column: 10 } },
})

test('a mutant that ran into a time limit is killed, one that no test reached survived, others do not count', () => {
  const source = ['if (a < b) {', '  return', '}', 'if (c < d) {}'].join('\n')
  const mutants = [
    mutant('Killed', 1),
    mutant('Timeout', 1),
    mutant('NoCoverage', 4),
    mutant('Survived', 1, 2),
    mutant('Ignored', 1),
    mutant('RuntimeError', 1),
  ]
  const reports = [
    { files: { 'b.ts': { source, mutants } } },
    { files: { 'a.ts': { source, mutants: [mutant('Survived', 4)] } } },
  ]
  expect(summarize(reports)).toEqual({
    mutants: 5,
    killed: 2,
    survivors: [
      { file: 'a.ts', line: 4, mutant: 'c < d → true' },
      { file: 'b.ts', line: 1, mutant: 'a < b) { return → true' },
      { file: 'b.ts', line: 4, mutant: 'c < d → true' },
    ],
  })
})

test('survivors are tried again', () => {
  const mutants = [mutant('Killed', 1), mutant('Survived', 1), mutant('NoCoverage', 1), mutant('Ignored', 1)]
  expect(withoutSurvivors({ files: { 'b.ts': { source: 'b', mutants } } })).toEqual({
    files: { 'b.ts': { source: 'b', mutants: [mutants[0], mutants[3]] } },
  })
})
