/** Cookies of the authorize page: never readable by scripts, sent along only when a person navigates here. */
import type { Request, Response } from 'express'

/** Over https the name carries `__Host-`: browsers then refuse one set by another host (RFC 6265bis 4.1.3.2). */
const nameOf = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name)

const COOKIE_PARTS_MAX = 100

export const readCookie = (req: Request, name: string): string | undefined => {
  const wanted = `${nameOf(name, req.secure)}=`
  const parts = (req.get('cookie') ?? '').split(';', COOKIE_PARTS_MAX).map((part) => part.trim())
  return parts.find((part) => part.startsWith(wanted))?.slice(wanted.length)
}

/** @param value of characters that need no quoting, such as base64url and dots. Without `seconds` it goes with the browser. */
export const setCookie = (
  req: Request,
  res: Response,
  { name, value, seconds }: { name: string; value: string; seconds?: number },
): void => {
  const parts = [
    `${nameOf(name, req.secure)}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(req.secure ? ['Secure'] : []),
    ...(seconds === undefined ? [] : [`Max-Age=${seconds}`]),
  ]
  res.append('Set-Cookie', parts.join('; '))
}
