import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { readPageFiles, type PageFiles } from '../../src/page-files.ts'

const run = promisify(execFile)
const BUILD = path.resolve(import.meta.dirname, '../../page/build.mjs')

const bytesOf = ({ index, assets }: PageFiles) => ({
  'index.html': index.bytes.toString('base64'),
  ...Object.fromEntries([...assets].map(([name, { bytes }]) => [name, bytes.toString('base64')])),
})

it('gives the same bytes as the installation did, wherever it builds', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'merx-page-'))
  try {
    await run(process.execPath, [BUILD, folder])
    expect(bytesOf(readPageFiles(folder))).toEqual(bytesOf(readPageFiles()))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
