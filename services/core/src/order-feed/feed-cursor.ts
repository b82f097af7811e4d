/** The reader's place in the order feed, as an opaque text. */
import { AppError } from '@merx/errors/app-error'

/** After the change at `position` of transaction `transactionId`, in the log that `epoch` names. */
export interface FeedPlace {
  readonly epoch: string
  readonly transactionId: number
  readonly position: number
}

const SHAPE = /^1\.([0-9a-f]{32})\.(\d{1,16})\.(\d{1,16})$/

export const encodeFeedCursor = ({ epoch, transactionId, position }: FeedPlace): string =>
  Buffer.from(`1.${epoch}.${transactionId}.${position}`).toString('base64url')

/** Throws bad_request unless the text is exactly what `encodeFeedCursor` gives. */
export const decodeFeedCursor = (cursor: string): FeedPlace => {
  const [, epoch, transactionId, position] =
    SHAPE.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (epoch !== undefined && transactionId !== undefined && position !== undefined) {
    const place = { epoch, transactionId: Number(transactionId), position: Number(position) }
    if (encodeFeedCursor(place) === cursor) return place
  }
  throw new AppError('bad_request', {
    detail:
      'after is not a cursor of the order feed; pass on the cursor of a page, or nothing to start again',
    source: { parameter: 'after' },
  })
}
