import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { cleanUpAfterEach } from './clean-up.ts'
import { startDelayProxy } from './delay-proxy.ts'

const afterwards = cleanUpAfterEach()

/** A client of an echo server behind the proxy. */
const open = async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).pipe(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await startDelayProxy((server.address() as AddressInfo).port)
  const client = connect(proxy.port, '127.0.0.1').on('error', () => client.destroy())
  await once(client, 'connect')
  afterwards(async () => {
    client.destroy()
    await proxy.close()
    server.close()
  })
  const say = async (text: string): Promise<string> => {
    client.write(text)
    const [answer] = (await once(client, 'data')) as [Buffer]
    return answer.toString()
  }
  return { proxy, client, say }
}

describe('a delay proxy', () => {
  it('passes everything on, in order, with the configured delay', async () => {
    const { proxy, say } = await open()
    expect(await say('one')).toBe('one')
    proxy.delay(50)
    const startedAt = performance.now()
    expect(await say('two')).toBe('two')
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(45)
    proxy.delay(0)
    expect(await say('three')).toBe('three')
  })

  it('closes new connections while it is set to refuse them', async () => {
    const { proxy, client } = await open()
    proxy.refuse(true)
    await once(client, 'close')
    const refused = connect(proxy.port, '127.0.0.1').on('error', () => undefined)
    await once(refused, 'close')
    proxy.refuse(false)
    const again = connect(proxy.port, '127.0.0.1')
    again.write('again')
    const [answer] = (await once(again, 'data')) as [Buffer]
    expect(answer.toString()).toBe('again')
    again.destroy()
  })

  it('holds answers back for good, and cuts connections', async () => {
    const { proxy, client } = await open()
    proxy.delay(Infinity)
    const answered = new Promise((resolve) => client.once('data', () => resolve('answered')))
    client.write('one')
    const closed = new Promise((resolve) => client.once('close', () => resolve('cut')))
    proxy.cut()
    expect(await Promise.race([answered, closed])).toBe('cut')
  })
})
