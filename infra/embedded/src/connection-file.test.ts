import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { removeConnectionFile, writeConnectionFile } from './connection-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'merx connection '))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the connection file', () => {
  it('is for its owner only, also after a file anyone could read, and holds only what merx needs', () => {
    writeFileSync(path.join(folder, 'connection.json.new'), '', { mode: 0o644 })
    writeConnectionFile(folder, { AUTH_DATABASE_URL: 'postgresql://x/y', SERVICE_KEY: 'k', HOME: '/home' })
    const file = path.join(folder, 'connection.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      pid: process.pid,
      environment: { AUTH_DATABASE_URL: 'postgresql://x/y', SERVICE_KEY: 'k' },
    })
  })

  it('goes with the system, and going twice is fine', () => {
    writeConnectionFile(folder, { AUTH_DATABASE_URL: 'postgresql://x/y' })
    removeConnectionFile(folder)
    removeConnectionFile(folder)
    expect(readdirSync(folder)).toEqual([])
  })
})
