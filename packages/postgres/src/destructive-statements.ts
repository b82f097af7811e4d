/**
 * Statements of a migration that break the release that still runs. Such a statement belongs into a *contract* migration,
 * which says so in its text and comes a release after the one that stopped needing what it takes away
 * (docs/how-to/upgrade.md).
 */

export interface Destruction {
  /** Line of the file, from 1. */
  readonly line: number
  readonly statement: string
  readonly why: string
}

/** Somewhere in a migration that takes something away: `-- contract: <since which release nothing uses it>`. */
const MARKER = /^--[ \t]*contract:[ \t]*\S.*$/m

const RULES: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  {
    pattern: /\bDROP\s+(TABLE|VIEW|MATERIALIZED\s+VIEW|SCHEMA|TYPE|SEQUENCE)\b/i,
    why: 'the running release may use it',
  },
  { pattern: /\bDROP\s+COLUMN\b/i, why: 'the running release may read or write the column' },
  { pattern: /\bRENAME\s+(TO|COLUMN)\b/i, why: 'the running release knows the old name' },
  { pattern: /\bALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE\b/i, why: 'rewrites the table under a lock' },
  { pattern: /\bALTER\s+COLUMN\s+\S+\s+SET\s+NOT\s+NULL\b/i, why: 'the running release may leave it empty' },
  { pattern: /\bALTER\s+COLUMN\s+\S+\s+DROP\s+DEFAULT\b/i, why: 'the running release may rely on it' },
  {
    pattern: /\bADD\s+COLUMN\b(?=[^,;]*\bNOT\s+NULL\b)(?![^,;]*\b(DEFAULT|GENERATED)\b)/i,
    why: 'the running release does not fill it',
  },
  { pattern: /^\s*TRUNCATE\b/i, why: 'rows that are in use are gone' },
  { pattern: /^\s*DELETE\s+FROM\s+\S+\s*;?\s*$/i, why: 'every row is gone' },
]

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ')
/** The same text with its lines, but for comments and what functions do later. Pure. */
export const withoutBodies = (sql: string): string =>
  sql
    .replaceAll(/(\$[a-z_]*\$)[\s\S]*?\1/gi, blank)
    .replaceAll(/--[^\n]*/g, blank)
    .replaceAll(/\/\*[\s\S]*?\*\//g, blank)

const statementsOf = (sql: string): readonly { readonly line: number; readonly text: string }[] => {
  let line = 1
  return withoutBodies(sql)
    .split(';')
    .map((text) => {
      const leading = /^\s*/.exec(text)?.[0] ?? ''
      const at = { line: line + leading.split('\n').length - 1, text: text.trim() }
      line += text.split('\n').length - 1
      return at
    })
}

/** Empty for a migration that only adds, and for one that says it contracts. Pure. */
export const findDestructiveStatements = (sql: string): readonly Destruction[] =>
  MARKER.test(sql)
    ? []
    : statementsOf(sql).flatMap(({ line, text }) =>
        RULES.filter(({ pattern }) => pattern.test(text)).map(({ why }) => ({
          line,
          statement: text.replaceAll(/\s+/g, ' ').slice(0, 120),
          why,
        })),
      )
