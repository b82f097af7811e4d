import { renderFields, renderJson, renderTable } from './print.ts'

describe('results', () => {
  it('are tables with aligned columns and no spaces at the end', () => {
    const rows = [
      { id: 'a', name: 'Long name', at: new Date('2026-01-01T00:00:00.123Z') },
      { id: 'bcd', name: null, at: undefined },
    ]
    expect(renderTable(rows)).toBe(
      ['ID   NAME       AT', 'a    Long name  2026-01-01T00:00:00Z', 'bcd  -          -', ''].join('\n'),
    )
    expect(renderTable([])).toBe('none\n')
  })

  it('are one field a line for one thing', () => {
    expect(renderFields({ id: 'a', permissions: ['x:read', 'y:*'] })).toBe(
      'id           a\npermissions  x:read y:*\n',
    )
  })

  it('cannot move the cursor or set colours of the terminal', () => {
    expect(renderFields({ name: 'a\u001b[31mb\nc' })).toBe('name  a\\u001b[31mb\\nc\n')
  })

  it('are JSON for scripts', () => {
    expect(renderJson({ at: new Date(0) })).toBe('{\n  "at": "1970-01-01T00:00:00.000Z"\n}\n')
  })
})
