/** A service of the shop's own: it keeps what it was asked, and answers as a test says. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly signature: string
  readonly text: string
  readonly document: {
    readonly data: {
      readonly type: string
      readonly id: string | null
      readonly attributes: Readonly<Record<string, unknown>>
      readonly relationships: Readonly<Record<string, { readonly data?: unknown }>>
    }
    readonly included?: readonly {
      readonly type: string
      readonly id: string
      readonly attributes: Readonly<Record<string, unknown>>
    }[]
  }
}

export interface ShopService {
  readonly url: string
  readonly asked: Asked[]
  /** `body` may be a text that is no JSON. Default: status 200. */
  answer: (asked: Asked) => { readonly status?: number; readonly body: unknown }
  close(): Promise<void>
}

export const openShopService = async (): Promise<ShopService> => {
  const asked: Asked[] = []
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const question: Asked = {
        signature: String(req.headers['x-commercelayer-signature']),
        text,
        document: JSON.parse(text) as Asked['document'],
      }
      asked.push(question)
      const { status = 200, body } = service.answer(question)
      res.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const service: ShopService = {
    url: `http://127.0.0.1:${port}/ask`,
    asked,
    answer: () => ({ body: { success: true, data: {} } }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return service
}
