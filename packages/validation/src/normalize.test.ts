import { EMAIL_PART, normalizeEmail, normalizeName, normalizePassword } from './normalize.ts'

describe('texts that people compare', () => {
  it('have one form of each character', () => {
    for (const normalize of [normalizePassword, normalizeEmail, normalizeName])
      expect(normalize('e\u0301')).toBe('\u00e9')
  })

  it('stay what was typed in a password, have no case in an email, and one space in a name', () => {
    expect(normalizePassword(' A  b ')).toBe(' A  b ')
    expect(normalizeEmail('Ann@Example.COM')).toBe('ann@example.com')
    expect(normalizeName(' Order   desk ')).toBe('Order desk')
  })
})

const UNSEEN =
  '\u200b \u200c \u200d \u200e \u2060 \u00ad \u034f \u115f \u3164 \uffa0 \ufe0f \ufeff \u180e \u{e0041}'

describe('a part of an email', () => {
  const part = new RegExp(`^${EMAIL_PART}$`, 'u')

  it.each(['ann', 'o’brien', 'жанна', '木村', 'a+b_c.d'])('may be %s', (text) => {
    expect(part.test(text)).toBe(true)
  })

  it.each(UNSEEN.split(' '))('has no character that nobody sees: %j', (character) => {
    for (const text of [`${character}ann`, `a${character}nn`, `ann${character}`])
      expect(part.test(text)).toBe(false)
  })
})
