/** One request and its answer, over a connection that stays open. */
import type { Dispatcher } from 'undici'

/** `path` begins with a slash; a body is sent as it is. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** `body` is undefined unless it was asked for, or says why there is no other answer (status 400 and above). */
export interface LoadAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body?: string
}

/** Without a good answer's body unless `keepBody`: decoding what nobody reads would slow the load, not the target. */
export const exchange = (
  dispatcher: Dispatcher,
  request: LoadRequest,
  keepBody: boolean,
): Promise<LoadAnswer> =>
  new Promise((resolve, reject) => {
    const { method, path, headers, body } = request
    const chunks: Buffer[] = []
    let status = 0
    let received: LoadAnswer['headers'] = {}
    dispatcher.dispatch(
      { method, path, headers: headers ?? {}, body: body ?? null },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode, responseHeaders) => {
          status = statusCode
          received = responseHeaders
        },
        onResponseData: (_controller, chunk) => {
          if (keepBody || status >= 400) chunks.push(chunk)
        },
        onResponseEnd: () =>
          resolve({
            status,
            headers: received,
            ...(keepBody || status >= 400 ? { body: Buffer.concat(chunks).toString() } : {}),
          }),
        onResponseError: (_controller, error) => reject(error),
      },
    )
  })
