/** For the few statements that a running system cannot show, because the clock or a failure has to be arranged. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

/** A case proved by a test of another suite; `list-statements` reads `where`. */
export interface Reference {
  (): void
  readonly where: { readonly file: string; readonly title: string }
}

/** Passes when `file` (from the repository's root) still has a test with exactly this title. */
export const provedBy = (file: string, title: string): Reference =>
  Object.assign(
    () => {
      const source = readFileSync(join(ROOT, file), 'utf8')
      expect(source).toContain(title)
    },
    { where: { file, title } },
  )
