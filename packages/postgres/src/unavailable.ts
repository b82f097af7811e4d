/** Which failures of a statement say that the database is unavailable, full or busy, so that trying again later may work. */

/**
 * SQLSTATE: connection exceptions (08), out of connections, disk, memory or another resource (53), cancelled or timed out
 * (57014), shutting down or starting (57P0x), in use (55000), a lock not to be had in time (55P03), the disk did not read or
 * write (58030), and read-only, as a replica is until it has taken over (25006).
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const SQLSTATE = /^(?:08...|53...|57014|57P0[1-5]|55000|55P03|58030|25006)$/

/** Of the system: no connection, or none to be opened because the process holds too many files. */
const SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EMFILE',
  'ENFILE',
])

/** pg gives these without any code: no connection in time, and one that ended below a statement or before it. */
const MESSAGE =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/

/** @param code a SQLSTATE, or a code of the system such as `ECONNREFUSED` */
export const isUnavailableCode = (code: unknown): boolean =>
  typeof code === 'string' && (SQLSTATE.test(code) || SYSTEM.has(code))

/** Of pg and Node. */
export const isUnavailableError = (error: Error): boolean =>
  ('code' in error && isUnavailableCode(error.code)) || MESSAGE.test(error.message)
