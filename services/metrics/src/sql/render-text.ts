/**
 * A full-text expression → a condition on a text column. The engine ignores case by Unicode's simple folding
 * (CaseFolding.txt, statuses C and S), one character for one. The text is not folded before: JavaScript makes two characters
 * of İ, and of Σ another one at the end of a word, and then a text would not find itself.
 */
import type { Piece, TextExpression } from '../request/text-query.ts'
import type { Params } from './statement.ts'

const WORD_START = '(^|[^\\pL\\pN])'
const WORD_END = '($|[^\\pL\\pN])'

/** What JavaScript's \s holds, more than the engine's. */
const SPACES = '[\\s\\v\\pZ\\x{feff}]+'

const escape = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}\s]/gu, (char) => (char.charCodeAt(0) < 128 ? `\\${char}` : char))
    .replace(/\s+/g, SPACES)

/** A `*` at an end frees that end from being the end of a word; one inside stands for any text without a space. */
const toPattern = (pieces: readonly Piece[]): string => {
  const startsAnywhere = pieces[0]?.kind === 'any'
  const endsAnywhere = pieces.at(-1)?.kind === 'any'
  const inner = pieces.slice(startsAnywhere ? 1 : 0, endsAnywhere ? -1 : undefined)
  const body = inner.map((piece) => (piece.kind === 'any' ? '\\S*' : escape(piece.text))).join('')
  return `(?i)${startsAnywhere ? '' : WORD_START}${body}${endsAnywhere ? '' : WORD_END}`
}

/**
 * The quick search folds as the slow one does where the text is ASCII, but that it does not take ſ for an s. It takes a space for
 * that one alone.
 */
const isPlain = (text: string): boolean => /^[\0-\x7f]*$/.test(text) && !/\s/.test(text)

const renderTerm = (pieces: readonly Piece[], column: string, params: Params): string => {
  const [first, second, third] = pieces
  if (pieces.length === 1 && first?.kind === 'any') return '1'
  const isInside = pieces.length === 3 && first?.kind === 'any' && third?.kind === 'any'
  if (isInside && second?.kind === 'text' && isPlain(second.text)) {
    return `positionCaseInsensitiveUTF8(${column}, ${params.add(second.text, 'String')}) > 0`
  }
  return `match(${column}, ${params.add(toPattern(pieces), 'String')})`
}

export const renderText = (expression: TextExpression, column: string, params: Params): string => {
  if (expression.kind === 'term') return renderTerm(expression.pieces, column, params)
  const items = expression.items.map((item) => renderText(item, column, params))
  return `(${items.join(expression.kind === 'and' ? ' AND ' : ' OR ')})`
}
