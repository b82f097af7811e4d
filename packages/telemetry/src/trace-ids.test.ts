import { parseTraceparent, toTraceId, toUuid } from './trace-ids.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const PARENT_ID = 'b7ad6b7169203331'
const SAMPLED = `00-${TRACE_ID}-${PARENT_ID}-01`

describe('parseTraceparent', () => {
  it('reads the trace and whether it is recorded', () => {
    expect(parseTraceparent(SAMPLED)).toEqual({ traceId: TRACE_ID, isSampled: true, traceparent: SAMPLED })
    expect(parseTraceparent(`00-${TRACE_ID}-${PARENT_ID}-00`)).toMatchObject({ isSampled: false })
  })

  it('knows only the first flag, and lets a later version say more', () => {
    expect(parseTraceparent(`00-${TRACE_ID}-${PARENT_ID}-03`)).toMatchObject({ isSampled: true })
    expect(parseTraceparent(`00-${TRACE_ID}-${PARENT_ID}-02`)).toMatchObject({ isSampled: false })
    expect(parseTraceparent(`cc-${TRACE_ID}-${PARENT_ID}-01-more`)).toMatchObject({ traceId: TRACE_ID })
  })

  it.each([
    ['no header', undefined],
    ['several headers', [SAMPLED, SAMPLED]],
    ['an empty one', ''],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT_ID}-01`],
    ['a parent id of zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['the version ff', `ff-${TRACE_ID}-${PARENT_ID}-01`],
    ['upper case', SAMPLED.toUpperCase()],
    ['a short trace id', `00-${TRACE_ID.slice(1)}-${PARENT_ID}-01`],
    ['more after version 00', `${SAMPLED}-more`],
    ['anything else', 'x'.repeat(10_000)],
  ])('ignores %s', (_name, header) => {
    expect(parseTraceparent(header)).toBeUndefined()
  })
})

describe('the two spellings of an id', () => {
  it('lead to each other', () => {
    const uuid = '0af76519-16cd-43dd-8448-eb211c80319c'
    expect(toUuid(TRACE_ID)).toBe(uuid)
    expect(toTraceId(uuid)).toBe(TRACE_ID)
  })
})
