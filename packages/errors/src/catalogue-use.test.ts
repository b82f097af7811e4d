import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { catalogue } from './catalogue.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')

/** What runs: the source of every package and service, without tests, fixtures and the table itself. */
const sources = globSync('{packages,services}/*/src/**/*.ts', { cwd: ROOT })
  .filter((file) => !/\.test\.ts$|\/(fixtures|generated)\/|errors\/src\/catalogue\.ts$/.test(file))
  .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))

describe('the use of the error catalogue', () => {
  it('finds the source of all services', () => {
    expect(sources.length).toBeGreaterThan(200)
  })

  it.each(Object.keys(catalogue))('%s is raised somewhere', (code) => {
    expect(sources.some((source) => source.includes(`'${code}'`))).toBe(true)
  })
})
