/** A collector for tests: takes spans over real HTTP, as OTLP/JSON, and keeps them in the order they came. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A span as it was sent. */
export interface CollectedSpan {
  /** `service.name` of the process that sent it. */
  readonly service: string
  readonly traceId: string
  readonly spanId: string
  /** Undefined for the first of its trace. */
  readonly parentSpanId: string | undefined
  readonly name: string
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly hasFailed: boolean
}

export interface OtlpCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly spans: CollectedSpan[]
  /** Of every request, in the order they came. */
  readonly requestHeaders: Readonly<Record<string, unknown>>[]
  close(): Promise<void>
}

interface WireAttribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface WireSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly WireAttribute[]
  readonly status?: { readonly code?: number }
}

interface WireTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[]
  }[]
}

const STATUS_ERROR = 2

const attributesOf = (attributes: readonly WireAttribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const spansOf = ({ resourceSpans }: WireTraces): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name'])
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ traceId, spanId, parentSpanId, name, kind, attributes, status }) => ({
        service,
        traceId,
        spanId,
        parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
        name,
        kind,
        attributes: attributesOf(attributes),
        hasFailed: status?.code === STATUS_ERROR,
      }))
  })

/** @example const collector = await startOtlpCollector() */
export const startOtlpCollector = async (): Promise<OtlpCollector> => {
  const spans: CollectedSpan[] = []
  const requestHeaders: Record<string, unknown>[] = []
  const server = createServer((req, res) => {
    void text(req).then((body) => {
      requestHeaders.push(req.headers)
      const isTraces = req.method === 'POST' && req.url === '/v1/traces'
      if (isTraces) spans.push(...spansOf(JSON.parse(body) as WireTraces))
      res.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}`, spans, requestHeaders, close }
}
