import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findClosedFolder, launchAs, parseAccounts } from './account.ts'

const otherCaller = { uid: 60_001, gid: 60_001 }

describe('the account PostgreSQL runs as', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'merx-account-')) // mode 0700
    mkdirSync(path.join(folder, 'data'), { mode: 0o755 })
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('reads names and numbers from passwd', () => {
    const accounts = parseAccounts('root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65533:n:/:/bin/false\n\n')
    expect(accounts.get('nobody')).toEqual({ uid: 65534, gid: 65533 })
  })

  it('names the outermost folder that is closed to the account', () => {
    expect(findClosedFolder(path.join(folder, 'data', 'PG_VERSION'), otherCaller)).toBe(folder)
  })

  it('finds nothing closed once the folder may be passed', () => {
    chmodSync(folder, 0o711)
    expect(findClosedFolder(path.join(folder, 'data', 'PG_VERSION'), otherCaller)).toBeUndefined()
  })

  it('starts the program as the caller when no account is needed', () => {
    expect(launchAs(undefined, '/bin/true', ['x'], [])).toEqual({ file: '/bin/true', args: ['x'], ids: {} })
  })

  it('gives the ids to spawn when every folder is open to the account', () => {
    chmodSync(folder, 0o711)
    expect(launchAs(otherCaller, '/bin/true', [], [path.join(folder, 'data')])).toEqual({
      file: '/bin/true',
      args: [],
      ids: otherCaller,
    })
  })
})
