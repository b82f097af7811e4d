/**
 * A `fetch` that sends the vendor clients' hard-coded hosts to the local system: https://auth.<domain> to {auth_url},
 * https://provisioning.<domain>/api to {auth_url}/provisioning, https://<slug>.<domain> to {base_url}. Nothing else of a
 * request or an answer is touched.
 */
import { STATUS_CODES } from 'node:http'
import { demo } from './demo.ts'
import { send } from './send.ts'
import { freshAddress } from './source-address.ts'

/** The local URL of a vendor URL; local ones, as the server metadata has them, stay. Throws for any other host. */
export const toLocalUrl = (url: string): string => {
  const { domain, base_url, auth_url } = demo()
  if ([auth_url, base_url].some((local) => url.startsWith(`${local}/`))) return url
  const { host, pathname, search } = new URL(url)
  if (!host.endsWith(`.${domain}`)) throw new Error(`${host} is no host of ${domain}`)
  if (host === `provisioning.${domain}`)
    return `${auth_url}${pathname.replace(/^\/api\//, '/provisioning/')}${search}`
  return `${host === `auth.${domain}` ? auth_url : base_url}${pathname}${search}`
}

/** One request as a client made it, by its own URL. */
export interface Seen {
  readonly method: string
  readonly url: string
}

/** A mapped fetch from one source address, and what went through it. */
export const createMappedFetch = (from = freshAddress()) => {
  const seen: Seen[] = []
  const mapped: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    seen.push({ method: request.method, url: request.url })
    const body = await request.text()
    const reply = await send({
      method: request.method,
      url: toLocalUrl(request.url),
      headers: Object.fromEntries(request.headers),
      ...(body === '' ? {} : { body }),
      from,
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(reply.headers)) {
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
    }
    const outcome = { status: reply.status, statusText: STATUS_CODES[reply.status] ?? '', headers }
    return new Response(reply.status === 204 ? null : reply.text, outcome)
  }
  return { fetch: mapped, seen }
}
