/** A full-text expression → a condition on a text column. Matching ignores case. */
import type { Piece, TextExpression } from '../request/text-query.ts'
import type { Params } from './statement.ts'

const WORD_START = '(^|[^\\pL\\pN])'
const WORD_END = '($|[^\\pL\\pN])'

const escape = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}\s]/gu, (char) => (char.charCodeAt(0) < 128 ? `\\${char}` : char))
    .replace(/\s+/g, '\\s+')

/** A `*` at an end frees that end from being the end of a word; one inside stands for any text without a space. */
const toPattern = (pieces: readonly Piece[]): string => {
  const startsAnywhere = pieces[0]?.kind === 'any'
  const endsAnywhere = pieces.at(-1)?.kind === 'any'
  const inner = pieces.slice(startsAnywhere ? 1 : 0, endsAnywhere ? -1 : undefined)
  const body = inner.map((piece) => (piece.kind === 'any' ? '\\S*' : escape(piece.text))).join('')
  return `(?i)${startsAnywhere ? '' : WORD_START}${body}${endsAnywhere ? '' : WORD_END}`
}

const renderTerm = (pieces: readonly Piece[], column: string, params: Params): string => {
  const [first, second, third] = pieces
  if (pieces.length === 1 && first?.kind === 'any') return '1'
  const isInside = pieces.length === 3 && first?.kind === 'any' && third?.kind === 'any'
  if (isInside && second?.kind === 'text') {
    return `positionCaseInsensitiveUTF8(${column}, ${params.add(second.text, 'String')}) > 0`
  }
  return `match(${column}, ${params.add(toPattern(pieces), 'String')})`
}

export const renderText = (expression: TextExpression, column: string, params: Params): string => {
  if (expression.kind === 'term') return renderTerm(expression.pieces, column, params)
  const items = expression.items.map((item) => renderText(item, column, params))
  return `(${items.join(expression.kind === 'and' ? ' AND ' : ' OR ')})`
}
