import { readAudit } from './audit.ts'

const advisory = (severity: string) =>
  JSON.stringify({
    advisories: {
      1: {
        module_name: 'some',
        vulnerable_versions: '<2',
        severity,
        title: 'Reads too much',
        url: 'https://a.example/1',
      },
    },
  })

describe('the answer of pnpm audit', () => {
  it.each(['high', 'critical'])('a %s advisory is one', (severity) => {
    expect(readAudit(advisory(severity))).toEqual({
      outcome: 'vulnerable',
      advisories: ['some <2: Reads too much (https://a.example/1)'],
    })
  })

  it('lesser ones are left to the next update', () => {
    expect(readAudit(advisory('moderate'))).toEqual({ outcome: 'clean' })
    expect(readAudit('{"advisories":{}}')).toEqual({ outcome: 'clean' })
  })

  it.each([
    ' ERR_PNPM_AUDIT_BAD_RESPONSE  The audit endpoint responded with 405: .',
    'request failed: getaddrinfo ENOTFOUND',
    '{"error":{"code":"ERR_PNPM_AUDIT_BAD_RESPONSE","message":"405"}}',
  ])('a registry that cannot tell is no failure: %s', (output) => {
    expect(readAudit(output).outcome).toBe('unknown')
  })

  it.each(['', 'Segmentation fault', '{}', '{"error":{"code":"ERR_PNPM_OTHER"}}'])(
    'anything else is a failure: %j',
    (output) => {
      expect(() => readAudit(output)).toThrow('pnpm audit')
    },
  )
})
