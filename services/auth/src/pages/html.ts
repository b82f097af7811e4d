/** HTML from templates in which every value is escaped unless it is HTML already. */

/** Text that is HTML. */
export interface Html {
  readonly html: string
}

type Value = Html | string | number | undefined | readonly Html[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

const isList = (value: Value): value is readonly Html[] => Array.isArray(value)

const render = (value: Value): string => {
  if (value === undefined) return ''
  if (isList(value)) return value.map((part) => part.html).join('')
  return typeof value === 'object' ? value.html : escape(String(value))
}

/** @example html`<p>${name}</p>` */
export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: strings.map((text, index) => (index === 0 ? text : render(values[index - 1]) + text)).join(''),
})
