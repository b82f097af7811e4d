/**
 * The texts of the page. A text is written in English where it is shown, `t('Orders')`, and is its own key in the
 * catalogs of the other languages; values and plurals are ICU MessageFormat: `t('{count, plural, one {# order} other {# orders}}', { count })`.
 * A text that a catalog lacks is shown in English.
 */
import { i18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'

i18n.setMessagesCompiler(compileMessage)
i18n.loadAndActivate({ locale: 'en', messages: {} })

/** @param message in English @param values by the names in the message's braces */
export const t = (message: string, values?: Record<string, unknown>): string => i18n._(message, values)

/** A name of the interface as a label, such as `Partially paid`: see names.ts. */
export const nameText = (label: string): string => i18n._(label)

/** For `Intl`: formats follow the language of the page, and the browser's region when it has the same language. */
export const locale = (): string =>
  navigator.languages.find((tag) => tag.split('-')[0] === i18n.locale) ?? i18n.locale
