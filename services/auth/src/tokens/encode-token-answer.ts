import type { TokenAnswer } from './issue-token.ts'

/**
 * The JSON of an answer, its keys in the order of the documentation. An access token is by far the longest part of it and
 * holds nothing that JSON escapes (base64url and dots, RFC 7515 7.1), so it is not looked through.
 */
export const encodeTokenAnswer = (answer: TokenAnswer): string => {
  const { refresh_token: refreshToken, owner_id: ownerId, owner_type: ownerType } = answer
  return (
    `{"access_token":"${answer.access_token}","token_type":"${answer.token_type}","expires_in":${answer.expires_in}` +
    (refreshToken === undefined ? '' : `,"refresh_token":${JSON.stringify(refreshToken)}`) +
    `,"scope":${JSON.stringify(answer.scope)},"created_at":${answer.created_at}` +
    (ownerId === undefined ? '' : `,"owner_id":${JSON.stringify(ownerId)}`) +
    (ownerType === undefined ? '}' : `,"owner_type":${JSON.stringify(ownerType)}}`)
  )
}
