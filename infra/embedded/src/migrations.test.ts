import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findDestructiveStatements } from '@merx/postgres/destructive-statements'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')
const MIGRATIONS = globSync(
  ['services/*/migrations/*/migration.sql', 'services/*/prisma/migrations/*/migration.sql'],
  {
    cwd: ROOT,
  },
)

/** An old and a new release run side by side during every upgrade (docs/how-to/upgrade.md). */
describe('migrations', () => {
  it('are found', () => {
    expect(MIGRATIONS.length).toBeGreaterThan(10)
  })

  it.each(MIGRATIONS)('%s takes nothing away from the release that still runs', (file) => {
    expect(findDestructiveStatements(readFileSync(path.join(ROOT, file), 'utf8'))).toEqual([])
  })
})
