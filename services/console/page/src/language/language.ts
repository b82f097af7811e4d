/** The languages of the page, and which of them is shown. Another language is another load of the page. */
import { i18n } from '@lingui/core'

export interface Language {
  readonly code: string
  /** In itself, so that whoever reads it finds it. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
}

const ENGLISH: Language = { code: 'en', name: 'English', direction: 'ltr' }

export const LANGUAGES: readonly Language[] = [
  ENGLISH,
  { code: 'it', name: 'Italiano', direction: 'ltr' },
  { code: 'ar', name: 'العربية', direction: 'rtl' },
]

type Catalog = Readonly<Record<string, string>>

const CATALOGS: Readonly<Record<string, () => Promise<{ readonly default: Catalog }>>> = {
  it: () => import('./it.json'),
  ar: () => import('./ar.json'),
}

/** What was chosen in this browser; it is not a secret, so it may be stored there. */
const CHOICE = 'merx_language'

const isKnown = (code: string | null | undefined): code is string =>
  LANGUAGES.some((language) => language.code === code)

/** The chosen one, or the first of the browser's that there is. */
export const chooseLanguage = (chosen: string | null, preferred: readonly string[]): Language => {
  const code = [chosen, ...preferred.map((tag) => tag.split('-')[0])].find((each) => isKnown(each))
  return LANGUAGES.find((language) => language.code === code) ?? ENGLISH
}

/** Before anything is shown. */
export const loadLanguage = async (): Promise<void> => {
  const { code, direction } = chooseLanguage(localStorage.getItem(CHOICE), navigator.languages)
  const catalog = await CATALOGS[code]?.()
  i18n.loadAndActivate({ locale: code, messages: catalog?.default ?? {} })
  document.documentElement.lang = code
  document.documentElement.dir = direction
}

/** Loads the page again in another language. */
export const setLanguage = (code: string): void => {
  localStorage.setItem(CHOICE, code)
  window.location.reload()
}
