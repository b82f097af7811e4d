/** Scope text → references, by grammar alone: nothing is looked up here. */
import { AppError } from '@merx/errors/app-error'

export const SCOPE_RESOURCES = ['market', 'store', 'stock_location'] as const
export type ScopeResource = (typeof SCOPE_RESOURCES)[number]

export interface ScopeReference {
  readonly type: ScopeResource
  readonly by: 'id' | 'code'
  readonly value: string
}

export interface ParsedScope {
  /** As requested: answers echo it, and clients cache by it. */
  readonly text: string
  readonly isAllMarkets: boolean
  readonly references: readonly ScopeReference[]
}

export const ALL_MARKETS = 'market:all'
const TEXT_LENGTH_MAX = 2_000
const PARTS_MAX = 20
const VALUE_LENGTH_MAX = 255

/** The contract separates by space; several clients of the wild join with a comma (auth.md 6.1). */
const SEPARATORS = /[ ,;]/

const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/
const SHAPES = SCOPE_RESOURCES.map((name) => `${name}:id:<id>, ${name}:code:<code>`).join(', ')

export const invalidScope = (detail: string): AppError => new AppError('invalid_scope', { detail })

export const scopePart = ({ type, by, value }: ScopeReference): string => `${type}:${by}:${value}`

const isResource = (name: string): name is ScopeResource =>
  (SCOPE_RESOURCES as readonly string[]).includes(name)

const parsePart = (part: string): ScopeReference => {
  const [type, by, ...rest] = part.split(':')
  const value = rest.join(':') // a code may hold colons itself
  if (type === undefined || !isResource(type) || (by !== 'id' && by !== 'code') || value === '') {
    throw invalidScope(`The scope '${part}' is malformed; allowed: ${SHAPES}, ${ALL_MARKETS}.`)
  }
  if (value.length > VALUE_LENGTH_MAX) {
    throw invalidScope(
      `The ${by} in the scope '${type}:${by}:…' is longer than ${VALUE_LENGTH_MAX} characters.`,
    )
  }
  return { type, by, value }
}

const NO_SCOPE: ParsedScope = { text: ALL_MARKETS, isAllMarkets: true, references: [] }

/**
 * @param text the scope parameter; absent or blank means `market:all`.
 * @throws AppError invalid_scope naming the part that is wrong and what is allowed.
 */
export const parseScope = (text: string | undefined): ParsedScope => {
  if (text === undefined || text.trim() === '') return NO_SCOPE
  if (text.length > TEXT_LENGTH_MAX)
    throw invalidScope(`The scope is longer than ${TEXT_LENGTH_MAX} characters.`)
  if (CONTROL_CHARACTERS.test(text))
    throw invalidScope('The scope holds a control character; separate parts by a space.')
  const parts = [...new Set(text.split(SEPARATORS).filter((part) => part !== ''))]
  if (parts.length === 0)
    throw invalidScope(`The scope holds only separators; allowed: ${SHAPES}, ${ALL_MARKETS}.`)
  if (parts.length > PARTS_MAX)
    throw invalidScope(`The scope has ${parts.length} parts; at most ${PARTS_MAX} are allowed.`)
  if (!parts.includes(ALL_MARKETS)) return { text, isAllMarkets: false, references: parts.map(parsePart) }
  if (parts.length > 1) {
    throw invalidScope(
      `The scope '${ALL_MARKETS}' stands alone; remove it or the other parts: ${parts.join(' ')}.`,
    )
  }
  return { text, isAllMarkets: true, references: [] }
}
