/** Cookies of the console: never readable by scripts. */
import type { Request, Response } from 'express'

/** Over https the name carries `__Host-`: browsers then refuse one set by another host (RFC 6265bis 4.1.3.2). */
const nameOf = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name)

const COOKIE_PARTS_MAX = 100

export interface Cookie {
  readonly name: string
  /**
   * Strict: not even sent along when a person follows a link from elsewhere. Lax where the browser comes back from the
   * sign-in page, which may be another site.
   */
  readonly sameSite: 'Strict' | 'Lax'
}

export const SESSION_COOKIE: Cookie = { name: 'merx_console', sameSite: 'Strict' }
export const SIGN_IN_COOKIE: Cookie = { name: 'merx_console_sign_in', sameSite: 'Lax' }

export const readCookie = (req: Request, { name }: Cookie): string | undefined => {
  const wanted = `${nameOf(name, req.secure)}=`
  const parts = (req.get('cookie') ?? '').split(';', COOKIE_PARTS_MAX).map((part) => part.trim())
  return parts.find((part) => part.startsWith(wanted))?.slice(wanted.length)
}

/** @param value of characters that need no quoting, such as base64url */
export const setCookie = (
  req: Request,
  res: Response,
  { name, sameSite }: Cookie,
  { value, seconds }: { readonly value: string; readonly seconds: number },
): void => {
  const parts = [
    `${nameOf(name, req.secure)}=${value}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(req.secure ? ['Secure'] : []),
    `Max-Age=${seconds}`,
  ]
  res.append('Set-Cookie', parts.join('; '))
}

export const clearCookie = (req: Request, res: Response, cookie: Cookie): void =>
  setCookie(req, res, cookie, { value: '', seconds: 0 })
