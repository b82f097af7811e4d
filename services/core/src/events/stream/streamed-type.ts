/** The type whose rows are streamed: who may list it may listen. */
export const STREAMED_TYPE = 'events'

/** Below /api. */
export const STREAM_PATH = '/events/stream'
