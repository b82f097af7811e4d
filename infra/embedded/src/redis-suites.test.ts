import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findRedisSuites } from './redis-suites.ts'

describe('the suites that need Redis', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'merx-suites-'))
    mkdirSync(path.join(root, 'packages', 'a', 'test', 'db'), { recursive: true })
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('are those that ask for a fresh Redis, and no others', () => {
    const folder = path.join(root, 'packages', 'a', 'test', 'db')
    writeFileSync(path.join(folder, 'with.test.ts'), `import { freshRedis } from '@merx/testing/fresh-redis'`)
    writeFileSync(
      path.join(folder, 'without.test.ts'),
      `import { freshDatabase } from '@merx/testing/fresh-database'`,
    )
    expect(findRedisSuites(root)).toEqual(['packages/a/test/db/with.test.ts'])
  })
})
