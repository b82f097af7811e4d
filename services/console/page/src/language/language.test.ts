import { chooseLanguage } from './language.ts'
import { t } from './text.ts'

it('takes the chosen language, else the first of the browser that there is, else English', () => {
  expect(chooseLanguage('it', ['ar'])).toMatchObject({ code: 'it', direction: 'ltr' })
  expect(chooseLanguage(null, ['de-CH', 'ar-EG', 'it'])).toMatchObject({ code: 'ar', direction: 'rtl' })
  expect(chooseLanguage('xx', ['de'])).toMatchObject({ code: 'en' })
})

it('puts values and plurals into a text', () => {
  const text = '{count, plural, one {# order of {who}} other {# orders of {who}}}'
  expect(t(text, { count: 1, who: 'Ada' })).toBe('1 order of Ada')
  expect(t(text, { count: 1234, who: 'Ada' })).toBe('1,234 orders of Ada')
})
