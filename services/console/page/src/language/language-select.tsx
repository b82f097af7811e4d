/** Another language for the page. */
import { i18n } from '@lingui/core'
import { LANGUAGES, setLanguage } from './language.ts'
import { t } from './text.ts'

export const LanguageSelect = () => (
  <select
    className="control text-sm"
    aria-label={t('Language')}
    value={i18n.locale}
    onChange={({ target }) => setLanguage(target.value)}
  >
    {LANGUAGES.map(({ code, name }) => (
      <option key={code} value={code} lang={code}>
        {name}
      </option>
    ))}
  </select>
)
