/** What the address of a list with one search field says. */
export interface TextSearch {
  readonly text?: string
  readonly page?: number
}

const TEXT_MAX = 200

/** Takes what makes sense; an address that somebody typed is no reason for an error page. */
export const readTextSearch = (raw: Readonly<Record<string, unknown>>): TextSearch => {
  const { text: rawText } = raw
  const text = typeof rawText === 'string' || typeof rawText === 'number' ? String(rawText).trim() : ''
  const page = Number(raw['page'])
  return {
    ...(text === '' ? {} : { text: text.slice(0, TEXT_MAX) }),
    ...(Number.isSafeInteger(page) && page > 1 ? { page } : {}),
  }
}
