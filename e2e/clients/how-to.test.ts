/** docs/how-to/use-the-npm-clients.md, as it stands. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { dataDir } from '../support/demo.ts'

const page = readFileSync(new URL('../../docs/how-to/use-the-npm-clients.md', import.meta.url), 'utf8')

test('the program of the page lists what a market sells', async () => {
  const [, program = ''] = /^```js\n(.*?)^```/ms.exec(page) ?? []
  const folder = mkdtempSync(path.join(import.meta.dirname, 'how-to-')) // below it the packages are found
  try {
    writeFileSync(path.join(folder, 'page.mjs'), program)
    const { stdout } = await promisify(execFile)(process.execPath, ['page.mjs'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], MERX_DATA_DIR: dataDir() },
      timeout: 30_000,
    })
    const answer = JSON.parse(stdout) as { total: number; first: string }
    expect(answer.total).toBeGreaterThan(0)
    expect(answer.first).toEqual(expect.any(String))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
