import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { demoUsersFileIn, ensureDemoUsers, readDemoUsers } from './demo-users.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'merx-demo-users-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('demo-users.json', () => {
  it('is made once, for its owner only, and keeps the passwords it has', () => {
    const first = ensureDemoUsers(folder, ['one'])
    expect(first).toEqual([
      {
        organization: 'one',
        email: 'owner@one.example',
        password: expect.stringMatching(/^[\w-]{24}$/) as string,
      },
    ])
    expect(statSync(demoUsersFileIn(folder)).mode & 0o777).toBe(0o600)
    expect(ensureDemoUsers(folder, ['one', 'two'])[0]).toEqual(first[0])
    expect(readDemoUsers(folder)).toHaveLength(2)
  })

  it('may be absent', () => {
    expect(readDemoUsers(folder)).toEqual([])
  })

  it.each(['{', '{}', '[{"email":1}]'])('stops the start when it holds %j', (text) => {
    writeFileSync(demoUsersFileIn(folder), text)
    expect(() => readDemoUsers(folder)).toThrow('is not a list of demo users')
  })
})
