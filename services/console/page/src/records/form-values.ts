/** What is typed into a form ↔ what core is sent. What is wrong of a value's form is said here; whether it is allowed, core says. */
import { t } from '../language/text.ts'
import type { FormField } from './forms.ts'

export interface Link {
  readonly type: string
  readonly id: string
  readonly name: string
  /** What else it is known by, such as the name of a SKU next to its code. */
  readonly about?: string
}

/** Attributes as texts, relationships as what they lead to. */
export type FormValues = Readonly<Record<string, string | readonly Link[]>>

/** `2026-11-27T18:05` of the browser's time zone, as an input of kind datetime-local takes it. */
const toLocal = (instant: string): string => {
  const date = new Date(instant)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)
}

/** A value of core as a field shows it. */
export const toText = (kind: string, value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (kind === 'instant' && typeof value === 'string') return toLocal(value)
  if (kind === 'list' && Array.isArray(value)) return value.map((item) => toText('text', item)).join('\n')
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
}

/** A value to send, or why there is none. */
export type Parsed = { readonly value: unknown } | { readonly problem: string }

const parseNumber = (text: string, isWhole: boolean): Parsed => {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return { problem: t('must be a number') }
  return isWhole && !Number.isSafeInteger(value) ? { problem: t('must be a whole number') } : { value }
}

const parseObject = (text: string): Parsed => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { value }
      : { problem: t('must be an object in JSON, such as {example}', { example: '{"color": "red"}' }) }
  } catch (error) {
    return { problem: t('is not JSON: {reason}', { reason: (error as Error).message }) }
  }
}

const parseInstant = (text: string): Parsed => {
  const date = new Date(text)
  return Number.isNaN(date.getTime())
    ? { problem: t('must be a date and time') }
    : { value: date.toISOString() }
}

/** An empty text is nothing: null. */
export const parseField = ({ kind }: Pick<FormField, 'kind'>, text: string): Parsed => {
  if (text === '') return { value: kind === 'object' ? {} : kind === 'list' ? [] : null }
  switch (kind) {
    case 'integer':
    case 'cents':
      return parseNumber(text, true)
    case 'float':
      return parseNumber(text, false)
    case 'boolean':
      return { value: text === 'true' }
    case 'instant':
      return parseInstant(text)
    case 'object':
      return parseObject(text)
    case 'list':
      return {
        value: text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
      }
    default:
      return { value: text }
  }
}

const identifierOf = ({ type, id }: Link) => ({ type, id })

/** What a relationship is sent as: one, several, or none. */
export const toLinkage = (links: readonly Link[], isMany: boolean) =>
  isMany ? links.map(identifierOf) : links[0] === undefined ? null : identifierOf(links[0])
