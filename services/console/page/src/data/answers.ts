/** Answers in JSON:API: a document, or what an interface refused in its own words. */
import { t } from '../language/text.ts'

/** One thing that an interface says is wrong. */
export interface Problem {
  readonly title: string
  readonly detail: string
  /** Where in the document that was sent, such as `/data/attributes/name`. */
  readonly source?: { readonly pointer?: string }
}

/** What an interface refused, in its own words. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly problems: readonly Problem[]
  readonly status: number

  constructor(status: number, problems: readonly Problem[]) {
    super(problems.map(({ detail }) => detail).join('; '))
    this.status = status
    this.problems = problems
  }
}

/**
 * Whether another token would help. A role that may not do something gets 401 as well, and would be refused again with any
 * token of its session: only the challenge tells them apart (RFC 6750, 3.1).
 */
export const isTokenRefused = ({ status, headers }: Response): boolean =>
  status === 401 && headers.get('www-authenticate')?.includes('error="invalid_token"') === true

interface Errors {
  readonly errors?: readonly Problem[]
}

/** A proxy may answer with something that is no document. */
export const documentOf = async <Document>(response: Response): Promise<Partial<Document>> => {
  const text = await response.text()
  try {
    return JSON.parse(text === '' ? '{}' : text) as Partial<Document>
  } catch {
    return {}
  }
}

/** What metrics refused, `[{ order: [{ date_to: ['is missing'] }] }]`, as lines: `order.date_to: is missing`. */
export const nestedMessages = (errors: readonly unknown[], path: readonly string[] = []): readonly string[] =>
  errors.flatMap((error) => {
    if (typeof error !== 'object' || error === null)
      return [path.length === 0 ? String(error) : `${path.join('.')}: ${String(error)}`]
    return Object.entries(error).flatMap(([name, inner]: [string, unknown]) =>
      nestedMessages(Array.isArray(inner) ? inner : [inner], [...path, name]),
    )
  })

/** @throws Refused */
export const readAnswer = async <Document>(response: Response): Promise<Document> => {
  const document = await documentOf<Document & Errors>(response)
  if (response.ok) return document as Document
  const detail = t('The service answered {status}.', { status: response.status })
  throw new Refused(response.status, document.errors ?? [{ title: t('No answer'), detail }])
}
