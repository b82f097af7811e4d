/** GET /api/events/stream as a path of OpenAPI. Data. */
import { STREAM_PATH, STREAMED_TYPE } from '../../events/stream/streamed-type.ts'
import { EVENT_STREAM_TYPE, START, TOPICS_MAX } from '../event-stream-query.ts'
import type { Schema } from './attribute-schema.ts'
import { errorResponses } from './shared-components.ts'

export const eventStreamPath: Readonly<Record<string, Schema>> = {
  [`/api${STREAM_PATH}`]: {
    get: {
      operationId: `stream_${STREAMED_TYPE}`,
      tags: [STREAMED_TYPE],
      summary: 'Events as they commit, as server-sent events. The answer has no end.',
      parameters: [
        {
          name: 'Last-Event-ID',
          in: 'header',
          description: 'The id of the last message: the stream goes on after it.',
          schema: { type: 'string' },
        },
        {
          name: 'from',
          in: 'query',
          description: 'All events that are kept, then what comes; without it the stream begins now.',
          schema: { enum: [START] },
        },
        {
          name: 'topics',
          in: 'query',
          description: 'Only these, such as `orders.place`, separated by commas.',
          style: 'form',
          explode: false,
          schema: { type: 'array', maxItems: TOPICS_MAX, items: { type: 'string' } },
        },
      ],
      responses: {
        200: {
          description:
            'Messages with `id`, that of the event, and `data`: JSON with topic, resource (type and id), is_imported, created_at.',
          content: { [EVENT_STREAM_TYPE]: { schema: { type: 'string' } } },
        },
        ...errorResponses('400', '401', '406', '429'),
      },
    },
  },
}
