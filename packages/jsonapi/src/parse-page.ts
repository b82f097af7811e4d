/** `page[number]`, `page[size]` → page. */
import { AppError } from '@merx/errors/app-error'
import { limits } from './limits.ts'
import type { QueryParameter, Report } from './query-string.ts'
import type { Page } from './query.ts'

const bounds = {
  number: { default: 1, max: limits.pageNumberMax },
  size: { default: limits.pageSizeDefault, max: limits.pageSizeMax },
} as const

/** Page 1 of 10 records unless asked otherwise; a violation is reported per parameter. */
export const parsePage = (parameters: readonly QueryParameter[], report: Report): Page => {
  const page = { number: bounds.number.default as number, size: bounds.size.default as number }
  for (const { name, segments, value } of parameters) {
    const [key, ...rest] = segments
    if (key === undefined || rest.length > 0) {
      const detail = `"${name}" is no page parameter; use page[number] and page[size]`
      report(new AppError('invalid_page_object', { detail, source: { parameter: name } }))
    } else if (key !== 'number' && key !== 'size') {
      const title = 'Page parameter not allowed'
      const detail = `"${name}" is not allowed; use page[number] and page[size]`
      report(new AppError('param_not_allowed', { title, detail, source: { parameter: name } }))
    } else {
      page[key] = parseBounded(name, value, bounds[key].max, report) ?? page[key]
    }
  }
  return page
}

const parseBounded = (name: string, text: string, max: number, report: Report): number | undefined => {
  const value = Number(text)
  if (/^\d{1,10}$/.test(text) && value >= 1 && value <= max) return value
  const detail = `"${name}" is "${text.slice(0, 50)}"; it must be an integer from 1 to ${max}`
  report(new AppError('invalid_page_value', { detail, source: { parameter: name } }))
  return undefined
}
