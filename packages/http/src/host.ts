/** The host a request names, and the address that follows from it. */
import type { Request } from 'express'

/** A name, an IPv4 address or an IPv6 address in brackets, with a port or without (RFC 9110 7.2, RFC 3986 3.2.2). */
const HOST = /^(?:[\w.~-]+|\[[\da-f.:]+\])(?::\d{0,5})?$/i
const HOST_CHARACTERS_MAX = 255

/** Whether a text can be the value of a Host header. Of the names of RFC 3986, those that DNS could have. */
export const isHost = (text: string): boolean => text.length <= HOST_CHARACTERS_MAX && HOST.test(text)

/**
 * Scheme and host that a request was sent to, for links in its answer: `https://shop.example:8443`. A hop that is
 * trusted may have named the host; what it names and is none is `localhost`, as is the host of a request without.
 */
export const originOf = ({ protocol, host }: Pick<Request, 'protocol' | 'host'>): string =>
  `${protocol}://${isHost(host ?? '') ? host : 'localhost'}`
