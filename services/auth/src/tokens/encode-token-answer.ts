import type { TokenAnswer } from './issue-token.ts'

/**
 * The JSON of an answer. A token is by far the longest part of it and holds nothing that JSON escapes (base64url and
 * dots, RFC 7515 7.1), so it is not looked through.
 */
export const encodeTokenAnswer = ({ access_token: token, ...rest }: TokenAnswer): string =>
  `{"access_token":"${token}",${JSON.stringify(rest).slice(1)}`
