/** Links from page to page: the request's own parameters with another page, brackets percent-encoded (RFC 3986). */
import type { Page } from './query.ts'

/**
 * `prev` is absent on the first page, `next` on the last; with no records the last page is the first. Beyond the last
 * page, `prev` leads back to it.
 */
export const pageLinks = (
  path: string,
  parameters: readonly (readonly [name: string, value: string])[],
  page: Page,
  pageCount: number,
): Record<string, string> => {
  const kept = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const linkTo = (number: number): string =>
    `${path}?${[...kept, `page%5Bnumber%5D=${number}`, `page%5Bsize%5D=${page.size}`].join('&')}`
  const last = Math.max(pageCount, 1)
  return {
    first: linkTo(1),
    ...(page.number > 1 ? { prev: linkTo(Math.min(page.number - 1, last)) } : {}),
    ...(page.number < last ? { next: linkTo(page.number + 1) } : {}),
    last: linkTo(last),
  }
}
