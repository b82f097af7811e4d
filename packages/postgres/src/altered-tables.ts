/** Which tables a migration takes from others for as long as it runs. */
import { withoutBodies } from './destructive-statements.ts'

/** Validating reads every row and keeps nobody from the table. */
const ALTERS = [
  /\bALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?([\w.]+)(?!\s+VALIDATE\b)\s/gi,
  /\bDROP\s+TRIGGER\s+(?:IF\s+EXISTS\s+)?\w+\s+ON\s+([\w.]+)/gi,
]
const DROPS = [/\bDROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?([\w.]+)/gi]

export interface AlteredTables {
  readonly altered: readonly string[]
  /** What their foreign keys refer to is altered as well. */
  readonly dropped: readonly string[]
}

const namesIn = (text: string, patterns: readonly RegExp[]): readonly string[] => [
  ...new Set(
    patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name.toLowerCase())),
  ),
]

/** Names as they are written, each once, also of tables that the migration itself makes. Pure. */
export const findAlteredTables = (sql: string): AlteredTables => {
  const text = withoutBodies(sql)
  return { altered: namesIn(text, ALTERS), dropped: namesIn(text, DROPS) }
}
