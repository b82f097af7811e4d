/** The JSON:API media type in Accept and Content-Type (JSON:API 1.1, content negotiation; core-conventions.md 1.2). */
import { AppError } from '@merx/errors/app-error'

/** The media type of every document (JSON:API 1.0, Content Negotiation). */
export const JSON_API_MEDIA_TYPE = 'application/vnd.api+json'

const ACCEPTABLE = [JSON_API_MEDIA_TYPE, 'application/*', '*/*']

interface MediaType {
  readonly name: string
  readonly quality: number
  readonly parameters: readonly string[]
}

/** Clients send few different headers, and send them with each request. */
const ACCEPTED_MAX = 100
const accepted = new Set<string>()

/** Throws AppError `not_acceptable` unless an accepted type is the JSON:API one (without parameters but profile) or a range over it. */
export const checkAccept = (header: string | undefined): void => {
  if (header === undefined || accepted.has(header) || header.trim() === '') return
  const isAccepted = splitList(header)
    .map(parseMediaType)
    .some(
      ({ name, quality, parameters }) => ACCEPTABLE.includes(name) && quality > 0 && parameters.length === 0,
    )
  if (isAccepted) {
    if (accepted.size < ACCEPTED_MAX) accepted.add(header)
    return
  }
  throw new AppError('not_acceptable', {
    detail: `The Accept header is "${header.slice(0, 200)}"; it must allow ${JSON_API_MEDIA_TYPE} without media type parameters other than profile.`,
    source: { header: 'Accept' },
  })
}

/** Throws AppError `unsupported_media_type` unless the body is declared as JSON:API without parameters but profile. */
export const checkContentType = (header: string | undefined): void => {
  const { name, parameters } = parseMediaType(header ?? '')
  if (name === JSON_API_MEDIA_TYPE && parameters.length === 0) return
  throw new AppError('unsupported_media_type', {
    detail: `The Content-Type header is "${(header ?? '').slice(0, 200)}"; it must be ${JSON_API_MEDIA_TYPE} without media type parameters other than profile.`,
    source: { header: 'Content-Type' },
  })
}

/** Commas inside quoted parameter values do not separate. */
const splitList = (header: string): readonly string[] => header.match(/(?:[^,"]|"(?:\\.|[^"\\])*")+/g) ?? []

const parseMediaType = (text: string): MediaType => {
  const [name = '', ...rest] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = rest.find((parameter) => parameter.startsWith('q='))
  const parameters = rest.filter((parameter) => parameter !== '' && !/^(q|profile)=/.test(parameter))
  return { name, quality: quality === undefined ? 1 : Number(quality.slice(2)), parameters }
}
