/** The test files that need a real Redis, for a run on a machine that has none. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const TESTS = '{packages,services,infra}/*/test/**/*.test.ts'
/** What such a file imports or reads. */
const MARKS = ['@merx/testing/fresh-redis', 'fresh-redis.ts', 'redis-server.ts', 'MERX_TEST_REDIS_URL']

/** @returns paths relative to `root`, with forward slashes, in order. */
export const findRedisSuites = (root: string): string[] =>
  globSync(TESTS, { cwd: root, exclude: (name) => name === 'node_modules' })
    .filter((file) => MARKS.some((mark) => readFileSync(path.join(root, file), 'utf8').includes(mark)))
    .map((file) => file.split(path.sep).join('/'))
    .toSorted()
