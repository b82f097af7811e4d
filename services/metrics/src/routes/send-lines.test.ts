import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { sendLines } from './send-lines.ts'

let server: Server
let ended: string[]

async function* lines(path: string): AsyncGenerator<string> {
  try {
    yield 'a,b\r\n'
    if (path === '/broken') throw new Error('the engine went away')
    if (path === '/slow') {
      for (;;) {
        yield '1,2\r\n'
        await new Promise(setImmediate)
      }
    }
    yield '1,2\r\n'
  } finally {
    ended.push(path)
  }
}

beforeAll(async () => {
  const app = express()
  app.use(async (req, res) => {
    await sendLines(res, lines(req.path)).catch(() => undefined)
  })
  server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
})

beforeEach(() => {
  ended = []
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const open = async (path: string): Promise<IncomingMessage> => {
  const { port } = server.address() as AddressInfo
  const [answer] = (await once(get({ port, path, agent: false }), 'response')) as [IncomingMessage]
  return answer
}

const untilEnded = async (path: string): Promise<void> => {
  const deadline = performance.now() + 10_000
  while (!ended.includes(path) && performance.now() < deadline) await new Promise(setImmediate)
}

it('sends the lines as CSV', async () => {
  const answer = await open('/whole')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(Buffer.concat(await answer.toArray()).toString()).toBe('a,b\r\n1,2\r\n')
})

it('cuts the connection when a line cannot be made, so that a part is not taken for the whole', async () => {
  const answer = await open('/broken')
  await expect(answer.toArray()).rejects.toThrow('aborted')
})

it('ends the source when the reader goes away', async () => {
  const answer = await open('/slow')
  await once(answer, 'data')
  answer.destroy()
  await untilEnded('/slow')
  expect(ended).toEqual(['/slow'])
})
