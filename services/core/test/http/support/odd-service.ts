/** Every service that a shop can have outside, on one server: it answers well, or in one odd way. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const ODDITIES = [
  'hangs',
  'closes',
  'breaks off',
  'fails',
  'talks nonsense',
  'redirects',
  'floods',
  'is late',
  'answers twice',
] as const
export type Mood = (typeof ODDITIES)[number] | 'well'

export interface Question {
  readonly path: string
  readonly key: string
  readonly data: { readonly id: string | null; readonly attributes: Readonly<Record<string, unknown>> }
  readonly included: readonly { readonly type: string; readonly id: string }[]
}

export interface OddService {
  readonly port: number
  readonly asked: Question[]
  mood: Mood
  /** What it does before it answers well. */
  before: (question: Question) => Promise<void>
  close(): Promise<void>
}

/** @param lateMs longer than core waits */
export const openOddService = async (
  answer: (question: Question) => unknown,
  lateMs: number,
): Promise<OddService> => {
  const asked: Question[] = []
  const server = createServer((req, res) => {
    // So that each question resolves the name again.
    res.shouldKeepAlive = false
    void readQuestion(req).then(async (question) => {
      asked.push(question)
      await service.before(question)
      answerIn(service.mood, res, JSON.stringify(answer(question)), lateMs)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const service: OddService = {
    port: (server.address() as AddressInfo).port,
    asked,
    mood: 'well',
    before: async () => undefined,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return service
}

const readQuestion = async (req: IncomingMessage): Promise<Question> => {
  const chunks: Buffer[] = []
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
  const { data, included = [] } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Pick<
    Question,
    'data' | 'included'
  >
  return { path: String(req.url), key: String(req.headers['idempotency-key']), data, included }
}

const GIGABYTE = 1_073_741_824
const CHUNK = Buffer.alloc(65_536, 'x')

const answerIn = (mood: Mood, res: ServerResponse, body: string, lateMs: number): void => {
  const raw = `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  switch (mood) {
    case 'hangs':
      return
    case 'closes':
      res.socket?.destroy()
      return
    case 'breaks off':
      res.socket?.end(raw.slice(0, -1))
      return
    case 'fails':
      res.writeHead(500).end(body)
      return
    case 'talks nonsense':
      res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works!</h1>')
      return
    case 'redirects':
      res.writeHead(302, { location: 'http://10.0.0.7/' }).end()
      return
    case 'floods': {
      res.writeHead(200, { 'content-length': GIGABYTE })
      const more = (): void => {
        while (!res.destroyed && res.write(CHUNK));
      }
      res.on('drain', more).on('error', () => undefined)
      more()
      return
    }
    case 'is late':
      setTimeout(() => res.writeHead(200).end(body), lateMs)
      return
    case 'answers twice':
      res.socket?.write(raw + raw)
      return
    case 'well':
      res.writeHead(200).end(body)
  }
}
