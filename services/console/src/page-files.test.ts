import { readPageFiles } from './page-files.ts'

const FIRST_LOAD_MAX = 200 * 1_024
const ROUTE_MAX = 60 * 1_024

/** What a browser reads before it can show anything: index.html and what it names. */
describe('the built page', () => {
  const { index, assets } = readPageFiles()
  const html = index.bytes.toString('utf8')
  const isFirst = (name: string): boolean => html.includes(`/console/assets/${name}"`)

  it('is at most 200 kB at the first load, and each screen at most 60 kB more, compressed', () => {
    const sizes = [...assets].map(([name, { gzipped }]) => ({ name, bytes: gzipped.length }))
    const first = sizes
      .filter(({ name }) => isFirst(name))
      .reduce((sum, { bytes }) => sum + bytes, index.gzipped.length)
    expect(first).toBeGreaterThan(10_000)
    expect(first).toBeLessThanOrEqual(FIRST_LOAD_MAX)
    expect(sizes.filter(({ name, bytes }) => !isFirst(name) && bytes > ROUTE_MAX)).toEqual([])
  })

  it('has nothing inline, and a hash in every name', () => {
    expect(html).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=|style=/)
    for (const name of assets.keys()) expect(name).toMatch(/-[\w-]{8}\.(?:js|css|svg)$/)
  })

  it('says how to build it where it is missing', () => {
    expect(() => readPageFiles('/nowhere')).toThrow('node services/console/page/build.mjs')
  })
})
