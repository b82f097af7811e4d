import { addressPatterns, matchesAddress, validAddressPatterns } from './address-patterns.ts'

const address = { country_code: 'IT', state_code: 'TO', zip_code: '10100' }

it.each([
  ['without patterns', true, {}],
  ['with empty patterns', true, { country_code_regex: '', not_zip_code_regex: null }],
  ['of the country', true, { country_code_regex: 'IT|FR' }],
  ['of the country, written between slashes', true, { country_code_regex: '/^it$/i' }],
  ['of another country', false, { country_code_regex: '^FR$' }],
  ['of everywhere but the country', false, { not_country_code_regex: 'IT' }],
  ['of the country without the state', false, { country_code_regex: 'IT', not_state_code_regex: 'TO' }],
  ['of other zip codes', false, { country_code_regex: 'IT', zip_code_regex: '^2' }],
])('a row %s matches an address in Turin: %s', (_case, expected, zone) => {
  expect(matchesAddress(zone, address)).toBe(expected)
})

it('matches in linear time where backtracking would not end', () => {
  expect(matchesAddress({ zip_code_regex: '^(a+)+$' }, { zip_code: `${'a'.repeat(5000)}!` })).toBe(false)
})

it.each(['(', '(?=a)', '(a)\\1'])('refuses %s, which is no pattern of RE2', async (pattern) => {
  const context = { after: { zip_code_regex: pattern }, sent: new Set(['zip_code_regex']) }
  const { violations = [] } = await validAddressPatterns(
    context as unknown as Parameters<typeof validAddressPatterns>[0],
  )
  expect(violations).toMatchObject([{ at: { attribute: 'zip_code_regex' }, error: 'invalid' }])
})

it('an address without a zip code matches no pattern of one, and every pattern of others', () => {
  expect(matchesAddress({ zip_code_regex: '.' }, {})).toBe(false)
  expect(matchesAddress({ not_zip_code_regex: '.' }, { zip_code: null })).toBe(true)
})

it('every pattern can be written, up to a thousand characters', () => {
  expect(Object.keys(addressPatterns)).toHaveLength(6)
  for (const attribute of Object.values(addressPatterns))
    expect(attribute).toMatchObject({ kind: 'text', write: 'always', max: 1000 })
})
