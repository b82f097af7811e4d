import { formatPhc, parsePhc } from './phc-string.ts'

const salt = 'c29tZXNhbHRzb21lc2FsdA'
const tag = 'aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g'
const good = `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${tag}`

describe('a PHC string', () => {
  it('is read and written without change', () => {
    const parsed = parsePhc(good)
    expect(parsed.cost).toEqual({ memory: 19_456, passes: 2, lanes: 1 })
    expect(Buffer.from(parsed.salt).toString()).toBe('somesaltsomesalt')
    expect(parsed.tag).toHaveLength(32)
    expect(formatPhc(parsed)).toBe(good)
  })

  it.each([
    ['nothing', ''],
    ['another function', good.replace('argon2id', 'argon2i')],
    ['another version', good.replace('v=19', 'v=16')],
    ['no version', good.replace('$v=19', '')],
    ['padding', `${good}=`],
    ['base64url', good.replace('c29tZ', 'c2_tZ')],
    ['a short salt', good.replace(salt, 'c29t')],
    ['a short tag', good.replace(tag, 'aGFza')],
    ['no memory', good.replace('m=19456', 'm=0')],
    ['less memory than the lanes need', good.replace('m=19456', 'm=15').replace('p=1', 'p=2')],
    ['more than a gigabyte', good.replace('m=19456', 'm=1048577')],
    ['more', `${good}$more`],
    ['a line break', `${good}\n`],
  ])('with %s is refused, and not shown', (_what, text) => {
    expect(() => parsePhc(text)).toThrow(
      /^a stored password hash is no PHC string of argon2id within bounds$/,
    )
  })
})
