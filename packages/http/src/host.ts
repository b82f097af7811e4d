/** The hosts of this system: which organization a request names, and where links in answers start. */
import { isIPv4 } from 'node:net'
import type { Request } from 'express'

/** A name, an IPv4 address or an IPv6 address in brackets, with a port or without (RFC 9110 7.2, RFC 3986 3.2.2). */
const HOST = /^(?:[\w.~-]+|\[[\da-f.:]+\])(?::(?<port>\d{0,5}))?$/i
const PORT_MAX = 65_535
const HOST_CHARACTERS_MAX = 255

/** Whether a text can be the value of a Host header. Of the names of RFC 3986, those that DNS could have. */
export const isHost = (text: string): boolean => {
  const found = text.length <= HOST_CHARACTERS_MAX ? HOST.exec(text) : null
  return found !== null && Number(found.groups?.['port'] ?? 0) <= PORT_MAX
}

/** Label of `{auth_url}`; no organization can have it as slug. */
const AUTH_LABEL = 'auth'

type HostRequest = Pick<Request, 'protocol' | 'host'> & {
  readonly socket: { readonly localAddress?: string }
}

/** `publicUrl` is the configured address of the interface, without a slash at its end. */
export interface OwnHostsOptions {
  readonly domain: string
  readonly publicUrl?: string | undefined
}

export interface OwnHosts {
  /** False when the request was sent to `<slug>.<domain>` of another organization. */
  isFor(req: HostRequest, slug: string): boolean
  /**
   * Where links start: the configured address; else the host of the request when it is one of ours, which a caller cannot
   * make up; else `https://<label>.<domain>`.
   */
  originOf(req: HostRequest, label: string): string
}

/** `shop.merx.localhost:8080` → `shop.merx.localhost`, as `shop.merx.localhost.`, which is the same host in DNS. */
const withoutPort = (host: string): string => host.toLowerCase().replace(/\.?(?::\d*)?$/, '')

/** This machine by a name that always means it, or by the address that the connection was made to. */
const isThisMachine = (name: string, localAddress = ''): boolean => {
  const address = name.replace(/^\[|\]$/g, '')
  const isLoopback = name === 'localhost' || address === '::1' || (isIPv4(name) && name.startsWith('127.'))
  return isLoopback || address === localAddress.replace(/^::ffff:/, '')
}

/** @example const hosts = createOwnHosts({ domain: config.merxDomain, publicUrl: config.publicBaseUrl }) */
export const createOwnHosts = ({ domain, publicUrl }: OwnHostsOptions): OwnHosts => {
  const suffix = `.${domain.toLowerCase()}`
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host.toLowerCase()
  /** `shop` of `shop.<domain>`; undefined for every other name. */
  const labelOf = (host: string): string | undefined => {
    const name = withoutPort(host)
    if (!name.endsWith(suffix) || host.toLowerCase() === publicHost) return undefined
    const label = name.slice(0, -suffix.length)
    return label === '' || label.includes('.') ? undefined : label
  }
  return {
    isFor: ({ host = '' }, slug) => {
      const label = labelOf(host)
      return label === undefined || label === AUTH_LABEL || label === slug.toLowerCase()
    },
    originOf: ({ protocol, host = '', socket }, label) => {
      if (publicUrl !== undefined) return publicUrl
      const isOurs =
        isHost(host) && (labelOf(host) !== undefined || isThisMachine(withoutPort(host), socket.localAddress))
      return isOurs ? `${protocol}://${host}` : `https://${label}${suffix}`
    },
  }
}
