import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeFolder } from './make-folder.ts'

describe('a folder', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'merx-folder-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('is made with those above it, and is no error when it is there', () => {
    const folder = path.join(root, 'a', 'b')
    makeFolder(folder, 0o700)
    makeFolder(folder, 0o700)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('is refused where a file is', () => {
    const file = path.join(root, 'file')
    writeFileSync(file, '')
    expect(() => makeFolder(file)).toThrow(/EEXIST/)
    expect(() => makeFolder(path.join(file, 'below'))).toThrow(/ENOTDIR|EEXIST/)
  })

  const whereProc = existsSync('/proc/self') ? it : it.skip

  whereProc('is refused, at once, where the file system makes none (needs /proc)', () => {
    expect(() => makeFolder('/proc/merx/data')).toThrow(/ENOENT/)
  })
})
