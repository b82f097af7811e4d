import { readFile } from 'node:fs/promises'
import { renderTopics, topicsPath } from './topics.ts'

describe('the reference of topics', () => {
  it('is what the areas define; after an edit run `npm run gen`', async () => {
    expect(await readFile(topicsPath, 'utf8')).toBe(renderTopics())
  })

  it('says of each topic when it happens, and names a test that exists', async () => {
    const rows = renderTopics()
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    expect(rows).toContain(
      '| `orders.place` | `status` from `pending` to `placed`; `status` from `placing` to `placed` | `test/http/states/every-transition.long.test.ts` |',
    )
    const tests = new Set(rows.map((row) => /`(test\/[^`]+)` \|$/.exec(row)?.[1] ?? row))
    for (const test of tests)
      await expect(readFile(new URL(`../${test}`, import.meta.url), 'utf8')).resolves.toContain('topic')
  })
})
