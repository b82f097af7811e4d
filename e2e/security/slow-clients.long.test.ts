/** Clients that hold connections: headers that never end, bodies that do not come, many at once. Others are served meanwhile. */
import { connect as openSocket } from 'node:net'
import { accessToken, connect } from '../support/connect.ts'
import { demo } from '../support/demo.ts'

const SLOW_CLIENTS = 200
const DRIP_MS = 1_000

/** Sends a byte of a header each second until the server has enough; gives what it said. */
const dripHeaders = (url: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    let answer = ''
    const socket = openSocket(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname)
    socket.write('GET /api/skus HTTP/1.1\r\nHost: a\r\nX-Slow: ')
    const timer = setInterval(() => socket.write('a'), DRIP_MS)
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', () => socket.destroy()) // a reset while a byte of ours is under way
    socket.on('close', () => {
      clearInterval(timer)
      resolve(answer)
    })
  })

test('headers that never end are given up at both addresses, and others are served all the while', async () => {
  const urls = [demo().base_url, demo().auth_url]
  const held = Promise.all(
    Array.from({ length: SLOW_CLIENTS }, (_, index) => dripHeaders(urls[index % urls.length] ?? '')),
  )
  let isHeld = true
  void held.then(() => {
    isHeld = false
  })
  const token = await accessToken('integration')
  let served = 0
  while (isHeld) {
    const reply = await connect().core('markets', { token, query: { 'page[size]': 1 } })
    expect(reply.status).toBe(200)
    const keys = await connect().auth('GET', '/.well-known/jwks.json')
    expect(keys.status).toBe(200)
    served += 1
    await new Promise((done) => setTimeout(done, 200))
  }
  expect(served).toBeGreaterThan(5)
  // That all of them end is the point; a reset may overtake the words.
  const answers = (await held).filter((answer) => answer !== '')
  expect(answers.length).toBeGreaterThan(0)
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

test('a thousand idle connections keep nobody out', async () => {
  const { port } = new URL(demo().base_url)
  const sockets = Array.from({ length: 1_000 }, () =>
    openSocket(Number(port), '127.0.0.1').on('error', () => undefined),
  )
  try {
    await Promise.all(sockets.map((socket) => new Promise((done) => socket.once('connect', done))))
    const reply = await connect().core('markets', { token: await accessToken('integration') })
    expect(reply.status).toBe(200)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})
