/**
 * The full-text query of `aggregated_details` → a tree of terms.
 *
 *     query  = all { ("|" | "OR") all }
 *     all    = one { ["+" | "AND"] one }        words side by side are all required
 *     one    = "(" query ")" | term
 *     term   = pieces without a space: text, "quoted text", *        * stands for any text
 *
 * Case does not matter, which sql/render-text.ts sees to. A term without * matches whole words; a quoted piece may hold spaces and operators.
 */
import { limits } from './limits.ts'

export type Piece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'any' }

export type TextExpression =
  | { readonly kind: 'term'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'and' | 'or'; readonly items: readonly TextExpression[] }

export type TextResult =
  | { readonly ok: true; readonly expression: TextExpression }
  | { readonly ok: false; readonly message: string }

type Token =
  { readonly kind: '(' | ')' | '|' | '+' } | { readonly kind: 'term'; readonly pieces: readonly Piece[] }

class TextQueryError extends Error {}

const TERM = /(?:"[^"]*"|\*|[^\s"*()|+])+/y
const PIECE = /"([^"]*)"|(\*)|([^"*]+)/g

const toPieces = (source: string): readonly Piece[] => {
  const pieces: Piece[] = []
  for (const [, quoted, star, bare] of source.matchAll(PIECE)) {
    const last = pieces.at(-1)
    const text = quoted ?? bare ?? ''
    if (star !== undefined && last?.kind !== 'any') pieces.push({ kind: 'any' })
    else if (text !== '' && last?.kind === 'text')
      pieces[pieces.length - 1] = { kind: 'text', text: last.text + text }
    else if (text !== '') pieces.push({ kind: 'text', text })
  }
  return pieces
}

const toTermToken = (source: string): Token => {
  if (source === 'OR') return { kind: '|' }
  if (source === 'AND') return { kind: '+' }
  const pieces = toPieces(source)
  if (pieces.length === 0) throw new TextQueryError('quotes must hold some text')
  return { kind: 'term', pieces }
}

const tokenize = (source: string): readonly Token[] => {
  const tokens: Token[] = []
  let at = 0
  while (at < source.length) {
    const char = source.charAt(at)
    TERM.lastIndex = at
    const term = TERM.exec(source)?.[0]
    if (/\s/.test(char)) at += 1
    else if (char === '(' || char === ')' || char === '|' || char === '+') {
      tokens.push({ kind: char })
      at += 1
    } else if (term === undefined) throw new TextQueryError('a quote is not closed')
    else {
      tokens.push(toTermToken(term))
      at += term.length
    }
  }
  return tokens
}

const group = (kind: 'and' | 'or', items: readonly TextExpression[]): TextExpression => {
  const [first] = items
  return items.length === 1 && first !== undefined ? first : { kind, items }
}

/** One pass over the tokens, a function for each rule of the grammar above. */
const parseTokens = (tokens: readonly Token[]): TextExpression => {
  let at = 0
  const one = (): TextExpression => {
    const token = tokens[at]
    at += 1
    if (token?.kind === 'term') return { kind: 'term', pieces: token.pieces }
    if (token?.kind !== '(') throw new TextQueryError(`a word is missing near "${token?.kind ?? 'the end'}"`)
    const inner = query()
    if (tokens[at]?.kind !== ')') throw new TextQueryError('a parenthesis is not closed')
    at += 1
    return inner
  }
  const all = (): TextExpression => {
    const items = [one()]
    for (;;) {
      const kind = tokens[at]?.kind
      if (kind === '+') at += 1
      else if (kind !== 'term' && kind !== '(') return group('and', items)
      items.push(one())
    }
  }
  const query = (): TextExpression => {
    const items = [all()]
    while (tokens[at]?.kind === '|') {
      at += 1
      items.push(all())
    }
    return group('or', items)
  }
  const expression = query()
  if (at < tokens.length) throw new TextQueryError('a parenthesis is closed that was not opened')
  return expression
}

/** Never throws: the message says what is wrong with the text. */
export const parseTextQuery = (source: string): TextResult => {
  if (source.trim() === '') return { ok: false, message: "can't be blank" }
  if (source.length > limits.textLengthMax) {
    return { ok: false, message: `must have at most ${limits.textLengthMax} characters` }
  }
  try {
    const tokens = tokenize(source)
    if (tokens.length > limits.textTermsMax) {
      return { ok: false, message: `must have at most ${limits.textTermsMax} words and operators` }
    }
    return { ok: true, expression: parseTokens(tokens) }
  } catch (error) {
    if (error instanceof TextQueryError) return { ok: false, message: `not valid, ${error.message}` }
    throw error
  }
}
