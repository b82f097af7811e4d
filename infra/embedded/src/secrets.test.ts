import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { renderFailure } from './render-failure.ts'
import { loadSecrets } from './secrets.ts'

/** What the terminal shows. */
const refusalOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    return renderFailure(error)
  }
  throw new Error('nothing was refused')
}

describe('the secrets of a data folder', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'merx-secrets-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('are made once and stay', () => {
    const first = loadSecrets(folder)
    expect(new Set(Object.values(first)).size).toBe(3)
    expect(loadSecrets(folder)).toEqual(first)
  })

  it('are readable by their owner only', () => {
    loadSecrets(folder)
    expect(statSync(path.join(folder, 'secrets.json')).mode & 0o777).toBe(0o600)
  })

  it.each(['postgres', 'analytics', 'demo.json'])('are not made for a folder that has %s already', (name) => {
    mkdirSync(path.join(folder, name))
    expect(() => loadSecrets(folder)).toThrow(/has data \(.*\) and no secrets.json/)
    expect(readdirSync(folder)).toEqual([name])
  })

  it('are refused when they are of a version whose ids had no secret', () => {
    const older = { service_key: 'k'.repeat(43), postgres_password: 'p'.repeat(43) }
    writeFileSync(path.join(folder, 'secrets.json'), JSON.stringify(older))
    expect(() => loadSecrets(folder)).toThrow(
      /secrets.json has no "id_secret": this data is of an earlier version/,
    )
  })

  it('are refused with the path when a folder is in the place of their file', () => {
    const file = path.join(folder, 'secrets.json')
    mkdirSync(file)
    expect(refusalOf(() => loadSecrets(folder))).toContain(
      `${file}: a folder is where a file belongs (EISDIR).`,
    )
  })

  it.each(['', '[]', 'null', '{"service_key":"short","id_secret":"short"}'])(
    'are refused when the file was damaged: %j',
    (content) => {
      writeFileSync(path.join(folder, 'secrets.json'), content)
      expect(() => loadSecrets(folder)).toThrow(/secrets.json has no usable "service_key"/)
    },
  )
})
