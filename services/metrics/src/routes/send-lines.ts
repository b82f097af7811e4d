/** Streams lines of CSV to the response, with backpressure. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

const CSV = 'text/csv; charset=utf-8'

/**
 * Status and headers go out with the first lines. A failure after that cuts the connection, so that no reader takes a
 * part for the whole; a reader that goes away ends the source.
 */
export const sendLines = async (res: Response, lines: AsyncIterable<string>): Promise<void> => {
  res.status(200).set('Content-Type', CSV)
  await pipeline(Readable.from(lines), res)
}
