import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { assertPortsFree, openPublicAddress } from './public-addresses.ts'
import { loadSettings } from './settings.ts'

const settings = (env: Record<string, string>) => loadSettings(env, '/merx')
const answer = (_req: unknown, res: { end(text: string): void }): void => res.end('ok')

describe('the public addresses', () => {
  it('name the taken port and the variable that moves it', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const taken = settings({ MERX_BASE_PORT: '0', MERX_AUTH_PORT: String(port) })
    await expect(assertPortsFree(taken)).rejects.toMatchObject({
      message: `port ${port} is in use by another program.`,
      remedy: expect.stringContaining(`MERX_AUTH_PORT=${port + 1000}`) as string,
    })
    await expect(openPublicAddress(answer as never, taken, 'MERX_AUTH_PORT')).rejects.toThrow(
      `port ${port} is in use`,
    )
    other.close()
  })

  it('refuse one port for both', async () => {
    const same = settings({ MERX_BASE_PORT: '9000', MERX_AUTH_PORT: '9000' })
    await expect(assertPortsFree(same)).rejects.toThrow('MERX_BASE_PORT and MERX_AUTH_PORT are both 9000')
  })

  it('say that the machine does not have the address', async () => {
    await expect(assertPortsFree(settings({ MERX_HOST: '192.0.2.1' }))).rejects.toThrow(
      'no address 192.0.2.1',
    )
  })

  it('answer under localhost', async () => {
    const address = await openPublicAddress(answer, settings({ MERX_BASE_PORT: '0' }), 'MERX_BASE_PORT')
    expect(address.url).toBe(`http://localhost:${address.port}`)
    await expect((await fetch(address.url)).text()).resolves.toBe('ok')
    await address.close()
  })
})
