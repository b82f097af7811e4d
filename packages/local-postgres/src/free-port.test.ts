import { createServer } from 'node:net'
import { findFreePort } from './free-port.ts'

describe('findFreePort', () => {
  it('gives a port below those of outgoing connections, which can be bound', async () => {
    const port = await findFreePort()
    expect(port).toBeGreaterThanOrEqual(15_000)
    expect(port).toBeLessThan(32_000)
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    await new Promise((resolve) => server.close(resolve))
  })

  it('gives up when every port is meant for something else', async () => {
    const all = Array.from({ length: 17_000 }, (_, index) => 15_000 + index)
    await expect(findFreePort(new Set(all))).rejects.toThrow('none of 100 ports')
  })
})
