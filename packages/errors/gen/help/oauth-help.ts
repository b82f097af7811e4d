/** What a reader needs to know of each error of the authentication host. */
import type { oauthErrors } from '../../src/catalogue.ts'
import type { ErrorHelp } from './help-entry.ts'

export const oauthHelp = {
  invalid_request: {
    when: 'A parameter is missing, repeated, malformed or too long.',
    todo: 'Correct the parameter that `error_description` names.',
    example: { detail: 'Missing required parameter: grant_type.' },
  },
  invalid_client: {
    when: 'No such client, a wrong secret, a missing secret, or a disabled credential.',
    todo: 'Compare `client_id` and secret with [merx credentials](../how-to/manage-credentials.md). Webapps and integrations send a secret, sales channels do not.',
  },
  invalid_grant: {
    when: 'The code, refresh token or password is wrong, expired, used or revoked, or belongs to another client.',
    todo: 'Start the sign-in again. After a refresh token was used twice, all tokens of that sign-in end.',
  },
  unauthorized_client: {
    when: 'The kind of the credential may not use this grant.',
    todo: 'Use a grant that `error_description` lists.',
    example: { detail: "Credentials of kind sales_channel may not use the grant type 'refresh_token'." },
  },
  unsupported_grant_type: {
    when: '`grant_type` is not one of the five grants.',
    todo: 'Use `client_credentials`, `password`, `refresh_token`, `authorization_code` or the JWT bearer grant.',
  },
  unsupported_response_type: {
    when: '`response_type` of the sign-in page is not `code`.',
    todo: 'Send `response_type=code`.',
  },
  access_denied: {
    when: 'The user refused consent, or left the sign-in page by its button.',
    todo: 'Ask the user again.',
  },
  invalid_scope: {
    when: 'The scope is malformed, names something that does not exist, or breaks a rule (a sales channel needs a market or store; a private market needs a customer).',
    todo: 'Correct the scope as `error_description` says.',
    example: { detail: "The scope 'market:code:XX' names no market of this environment." },
  },
  invalid_assertion: {
    when: 'The assertion of the JWT bearer grant is malformed or expired, or names an owner that does not exist.',
    todo: '`meta.reason` names what is wrong.',
    example: { meta: { reason: 'it has expired (exp)' } },
  },
  revocation_forbidden: {
    when: 'The token to revoke belongs to another client, or the client did not authenticate.',
    todo: 'Revoke with the client that got the token.',
  },
  oauth_form_refused: {
    when: 'A form of the sign-in page was open too long, was sent from another page, or the browser refuses cookies.',
    todo: 'Open the sign-in page again, with cookies allowed.',
  },
  oauth_not_found: {
    when: 'No such path on the authentication host.',
    todo: 'Use the addresses of `/.well-known/oauth-authorization-server`.',
  },
  oauth_method_not_allowed: {
    when: 'The path does not take this method.',
    todo: 'Use a method of the header `Allow`; tokens are requested with POST.',
    example: { detail: 'GET is not allowed here; allowed: POST', headers: { Allow: 'POST' } },
  },
  oauth_request_timeout: { when: 'The request was not received completely in time.', todo: 'Send it again.' },
  oauth_payload_too_large: {
    when: 'The body is larger than 128 KB.',
    todo: 'Send a smaller assertion or fewer parameters.',
  },
  oauth_unsupported_media_type: {
    when: 'The body is neither JSON nor a form.',
    todo: 'Send `application/x-www-form-urlencoded` or `application/json`.',
  },
  oauth_too_many_requests: {
    when: 'More requests than the budget of the address, or too many wrong passwords or secrets.',
    todo: 'Wait as many seconds as `Retry-After` says. Cache tokens until they expire.',
    example: { headers: { 'Retry-After': '30' } },
  },
  oauth_headers_too_large: {
    when: 'Request line and headers together are larger than 16 KB.',
    todo: 'Send fewer or smaller headers.',
  },
  oauth_internal: { when: 'An error inside Merx.', todo: 'Report it with `meta.request_id`.' },
  oauth_unavailable: {
    when: 'The database, or core, cannot be reached; or too many passwords are being checked.',
    todo: 'Repeat after `Retry-After`.',
    example: { headers: { 'Retry-After': '1' } },
  },
} as const satisfies Record<keyof typeof oauthErrors, ErrorHelp>
