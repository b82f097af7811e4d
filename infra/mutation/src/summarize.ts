/** Reports of Stryker → how many mutants were killed, and which survived. Pure. */

interface Position {
  readonly line: number
  readonly column: number
}

/** The part of the mutation testing report schema that is read here. */
export interface MutationReport {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string
        readonly mutants: readonly {
          readonly mutatorName: string
          readonly replacement?: string
          readonly status: string
          readonly location: { readonly start: Position; readonly end: Position }
        }[]
      }
    >
  >
}

export interface Survivor {
  readonly file: string
  readonly line: number
  /** What stood there, and what it was replaced by. */
  readonly mutant: string
}

export interface Summary {
  /** Those that were killed or survived. */
  readonly mutants: number
  readonly killed: number
  readonly survivors: readonly Survivor[]
}

/** Without the mutants that survived, so that the next run tries them again: Stryker does not see that a new test may kill them. */
export const withoutSurvivors = ({ files, ...report }: MutationReport): MutationReport => ({
  ...report,
  files: Object.fromEntries(
    Object.entries(files).map(([file, { mutants, ...more }]) => [
      file,
      { ...more, mutants: mutants.filter(({ status }) => !SURVIVED.includes(status)) },
    ]),
  ),
})

const TEXT_MAX = 100

const KILLED = ['Killed', 'Timeout']
/** No test reaches the second. */
const SURVIVED = ['Survived', 'NoCoverage']

const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > TEXT_MAX ? `${line.slice(0, TEXT_MAX)}…` : line
}

const textBetween = (source: string, start: Position, end: Position): string => {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  return lines
    .map((line, at) => (at === last ? line.slice(0, end.column - 1) : line))
    .map((line, at) => (at === 0 ? line.slice(start.column - 1) : line))
    .join(' ')
}

/** Mutants that do not load, and what is not mutated on purpose, count as none. */
export const summarize = (reports: readonly MutationReport[]): Summary => {
  const mutants = reports
    .flatMap(({ files }) => Object.entries(files))
    .flatMap(([file, { source, mutants: its }]) => its.map((mutant) => ({ ...mutant, file, source })))
    .filter(({ status }) => [...KILLED, ...SURVIVED].includes(status))
  const survivors = mutants
    .filter(({ status }) => SURVIVED.includes(status))
    .map(({ file, source, location: { start, end }, mutatorName, replacement }) => ({
      file,
      line: start.line,
      mutant: `${short(textBetween(source, start, end))} → ${short(replacement ?? mutatorName)}`,
    }))
    .toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
  return { mutants: mutants.length, killed: mutants.length - survivors.length, survivors }
}
