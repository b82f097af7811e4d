/** The shell blocks of the README, pasted one after the other into one shell, against the running system. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { dataDir, demo } from './support/demo.ts'
import { freshAddress, isAddressInHeader } from './support/source-address.ts'
import type { BreakdownAnswer, CollectionDocument, ResourceDocument } from './support/wire.ts'

const README = readFileSync(path.resolve(import.meta.dirname, '..', 'README.md'), 'utf8')

const blocks = [...README.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)

const PASTED = '--- pasted ---'

/** Limits count by address, and other tests may have used up that of the machine. */
const curlSettings = (): string =>
  isAddressInHeader()
    ? `header = "X-Forwarded-For: ${freshAddress()}"\n`
    : `ipv4\ninterface = ${freshAddress()}\n`

/** What each block printed. */
const paste = async (): Promise<readonly string[]> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'merx-readme-'))
  try {
    symlinkSync(dataDir(), path.join(folder, '.merx'))
    writeFileSync(path.join(folder, '.curlrc'), curlSettings())
    const script = blocks
      .map((block) => `${block}\necho; echo '${PASTED}'`)
      .join('\n')
      .replaceAll('http://localhost:8080', demo().base_url)
      .replaceAll('http://localhost:8081', demo().auth_url)
    const { stdout } = await promisify(execFile)('bash', ['-eu', '-c', script], {
      cwd: folder,
      env: { ...process.env, CURL_HOME: folder },
    })
    return stdout.split(PASTED).map((text) => text.trim())
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it('answers what it says: products, revenue, and an order that is placed', async () => {
  const printed = await paste()
  expect(printed.length).toBe(blocks.length + 1)
  const answers = printed.filter((text) => text !== '').map((text): unknown => JSON.parse(text))
  expect(answers).toHaveLength(3)
  const [products, revenue, order] = answers as [CollectionDocument, BreakdownAnswer, ResourceDocument]
  expect(products.data.map(({ type }) => type)).toEqual(['skus'])
  expect(Object.keys(revenue.data)).toEqual(['order.country_code'])
  expect(order.data.attributes).toMatchObject({ status: 'placed', payment_status: 'authorized' })
  expect(order.data.attributes['formatted_total_amount_with_taxes']).toMatch('€')
})
