/** docs/reference/contract-coverage.md says which test proves which statement; it may never lag behind. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

test('every statement of the contract has a test, and the page that says so is up to date', async () => {
  const script = join(import.meta.dirname, 'contract/list-statements.ts')
  await expect(promisify(execFile)(process.execPath, [script, '--check'])).resolves.toMatchObject({
    stderr: '',
  })
})
