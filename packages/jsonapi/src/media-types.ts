/** The JSON:API media type in Accept and Content-Type (JSON:API 1.1, content negotiation; core-conventions.md 1.2). */
import { MIMEType } from 'node:util'
import { AppError } from '@merx/errors/app-error'

/** The media type of every document. */
export const JSON_API_MEDIA_TYPE = 'application/vnd.api+json'

const ACCEPTABLE = [JSON_API_MEDIA_TYPE, 'application/*', '*/*']
const IGNORED_PARAMETERS = ['q', 'profile']

/** Throws AppError `not_acceptable` unless an accepted type is the JSON:API one (without parameters but profile) or a range over it. */
export const checkAccept = (header: string | undefined): void => {
  if (header === undefined || header.trim() === '' || splitList(header).some(isAcceptable)) return
  throw new AppError('not_acceptable', {
    detail: `The Accept header is "${header.slice(0, 200)}"; it must allow ${JSON_API_MEDIA_TYPE} without media type parameters other than profile.`,
    source: { header: 'Accept' },
  })
}

/** Throws AppError `unsupported_media_type` unless the body is declared as JSON:API without parameters but profile. */
export const checkContentType = (header = ''): void => {
  const mediaType = parseMediaType(header)
  if (mediaType?.essence === JSON_API_MEDIA_TYPE && isPlain(mediaType)) return
  throw new AppError('unsupported_media_type', {
    detail: `The Content-Type header is "${header.slice(0, 200)}"; it must be ${JSON_API_MEDIA_TYPE} without media type parameters other than profile.`,
    source: { header: 'Content-Type' },
  })
}

const isAcceptable = (item: string): boolean => {
  const mediaType = parseMediaType(item)
  if (mediaType === undefined || !ACCEPTABLE.includes(mediaType.essence)) return false
  return Number(mediaType.params.get('q') ?? 1) > 0 && isPlain(mediaType)
}

const isPlain = ({ params }: MIMEType): boolean =>
  [...params.keys()].every((name) => IGNORED_PARAMETERS.includes(name))

/** Commas inside quoted parameter values do not separate. */
const splitList = (header: string): readonly string[] => header.match(/(?:[^,"]|"(?:\\.|[^"\\])*")+/g) ?? []

/** Node's own parser, as in @merx/http/media-type. Undefined when the text is malformed. */
const parseMediaType = (text: string): MIMEType | undefined => {
  try {
    return new MIMEType(text)
  } catch {
    return undefined // MIMEType throws on malformed input only; the caller refuses it
  }
}
