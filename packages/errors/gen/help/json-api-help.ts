/** What a reader needs to know of each error of core and the internal interfaces. */
import type { jsonApiErrors } from '../../src/catalogue.ts'
import type { ErrorHelp } from './help-entry.ts'

export const jsonApiHelp = {
  bad_request: {
    when: 'A request that is not valid HTTP or JSON: broken percent-encoding, a missing or repeated Host, a body that is not JSON.',
    todo: 'Read `detail`, which names the position. Send JSON in UTF-8, at most 32 levels deep.',
    example: { detail: 'The body is not valid JSON (position 12).' },
  },
  invalid_data_format: {
    when: 'A part of the body has the wrong JSON type, for example `data` is a list or `attributes` is text.',
    todo: 'Send `{"data": {"type": …, "attributes": {…}, "relationships": {…}}}`.',
    example: { detail: '"data" must be one resource object', source: { pointer: '/data' } },
  },
  invalid_field: {
    when: '`fields[<type>]` names an attribute that the resource does not have.',
    todo: 'Use the attributes of [the resource](core-resources.md).',
    example: {
      detail: 'tags has no field "colour"; it has name, created_at',
      source: { parameter: 'fields[tags]' },
    },
  },
  invalid_field_format: {
    when: '`fields` is not written as `fields[<type>]=<name>,<name>`.',
    todo: 'Write one `fields[<type>]` for each type.',
    example: {
      detail: 'fields names a resource type: fields[<type>]=<name>,<name>',
      source: { parameter: 'fields' },
    },
  },
  invalid_field_value: {
    when: 'A parameter of an internal interface is outside its range.',
    todo: 'Use a value of the range in `detail`.',
    example: {
      detail: 'wait_seconds must be a whole number from 0 to 25.',
      source: { parameter: 'wait_seconds' },
    },
  },
  invalid_filter_value: {
    when: 'The value of a filter cannot be read as the type of its attribute.',
    todo: 'Use the form in `detail`: ISO 8601 for instants, `true` or `false`, whole numbers, `null` for presence.',
    example: {
      detail: '"filter[q][autorefresh_eq]" needs true or false',
      source: { parameter: 'filter[q][autorefresh_eq]' },
    },
  },
  invalid_filters_syntax: {
    when: 'The filter is not written as `filter[q][<attributes>_<predicate>]` or `filter[<name>]`.',
    todo: 'See [predicates](core-resources.md#predicates).',
    example: {
      detail: '"filter[q]" is no filter; use filter[q][<attributes>_<predicate>] or filter[<name>]',
      source: { parameter: 'filter[q]' },
    },
  },
  invalid_include: {
    when: '`include` names something that is not a relationship, cannot be included, or is nested too deep.',
    todo: 'Use the relationships marked as includable in [the resource](core-resources.md).',
    example: {
      detail: 'stock_items cannot include "owner" (of "owner"); allowed: stock_location, sku',
      source: { parameter: 'include' },
    },
  },
  invalid_links_object: {
    when: 'The linkage of a relationship is not `{"type", "id"}`, a list of them, or null where null is allowed.',
    todo: 'Send `{"data": {"type": …, "id": …}}`; a list for to-many relationships.',
    example: {
      detail: 'a to-many relationship takes a list of {"type", "id"}',
      source: { pointer: '/data/relationships/tags/data' },
    },
  },
  invalid_page_object: {
    when: '`page` is not written as `page[number]` or `page[size]`.',
    todo: 'Use `page[number]` and `page[size]`.',
    example: {
      detail: '"page" is no page parameter; use page[number] and page[size]',
      source: { parameter: 'page' },
    },
  },
  invalid_page_value: {
    when: 'A page number or size is outside its range.',
    todo: '`page[size]` is 1 to 25, `page[number]` 1 or more. Cursors come from `links.next`.',
    example: {
      detail: '"page[size]" is "100"; it must be an integer from 1 to 25',
      source: { parameter: 'page[size]' },
    },
  },
  invalid_resource: {
    when: '`fields[<type>]` names a type that does not exist.',
    todo: 'Use a type of [the resources](core-resources.md).',
    example: { detail: 'there is no resource type "gadgets"', source: { parameter: 'fields[gadgets]' } },
  },
  invalid_sort_criteria: {
    when: '`sort` names an attribute that cannot be sorted by.',
    todo: 'Use the attributes that `detail` lists; `-` in front sorts descending.',
    example: {
      detail: 'tags cannot be sorted by "colour"; allowed: id, name, created_at',
      source: { parameter: 'sort' },
    },
  },
  filter_not_allowed: {
    when: 'The attribute cannot be filtered by, or there are too many filters.',
    todo: 'Use the attributes that `detail` lists.',
    example: {
      detail: 'skus cannot be filtered by "colour_eq": …',
      source: { parameter: 'filter[q][colour_eq]' },
    },
  },
  key_not_included_in_url: {
    when: 'The body has an id that the URL does not have, or another one.',
    todo: 'Leave `data.id` out of a POST; make it the id of the URL in a PATCH.',
    example: { detail: 'The URL does not support the key xYZ', source: { pointer: '/data/id' } },
  },
  key_order_mismatch: {
    when: 'The body of a PATCH has no `data.id`.',
    todo: 'Send the id of the URL as `data.id`.',
    example: { detail: 'An update names its resource: "id" is missing.', source: { pointer: '/data/id' } },
  },
  param_missing: {
    when: 'A required member of the body is missing: `data` or `data.type`.',
    todo: 'Send it.',
    example: { detail: 'the body needs the key "data"', source: { pointer: '/data' } },
  },
  param_not_allowed: {
    when: 'A query parameter or an attribute that this request does not take, or may not write.',
    todo: 'Remove it. `detail` lists what is allowed.',
    example: {
      detail: '"limit" is not allowed here; filter, include, fields, sort, page are',
      source: { parameter: 'limit' },
    },
  },
  type_mismatch: {
    when: '`data.type` is not the type of the URL, or a linked type is not one that the relationship takes.',
    todo: 'Use the type that `detail` names.',
    example: { detail: '"type" must be "skus" at this address', source: { pointer: '/data/type' } },
  },
  invalid_token: {
    when: 'The access token is missing, malformed, expired or revoked, its key was withdrawn, or the host belongs to another organization.',
    todo: 'Get a new token. When new tokens are refused as well, compare the host with the organization of the token.',
  },
  unauthorized: {
    when: 'The token is valid, but its role or kind may not do this, or may not see a field, filter or include of the request.',
    todo: 'Give the role the permission ([permissions](permissions.md)), or use another credential.',
  },
  service_key_not_valid: {
    when: 'An internal call without the service key, or with another one.',
    todo: 'Give all services the same `SERVICE_KEY`.',
  },
  record_not_found: {
    when: 'No record with this id, or the token may not see it (another organization, mode, market or restriction).',
    todo: 'Check the id and the scope of the token. Both cases are answered the same.',
  },
  not_found: { when: 'No such path.', todo: 'Compare with [the addresses](core-resources.md#operations).' },
  method_not_allowed: {
    when: 'The path does not take this method.',
    todo: 'Use a method of the header `Allow`.',
    example: { detail: 'DELETE is not allowed here; allowed: GET, HEAD', headers: { Allow: 'GET, HEAD' } },
  },
  not_acceptable: {
    when: '`Accept` does not allow `application/vnd.api+json`.',
    todo: 'Send `Accept: application/vnd.api+json`.',
    example: { source: { header: 'Accept' } },
  },
  request_timeout: {
    when: 'The request was not received completely in time.',
    todo: 'Send it again over a faster connection, or in smaller parts.',
  },
  record_not_unique: {
    when: 'Another record has this unique value already. Unique attributes of core are reported as `VALIDATION_ERROR` with `taken`.',
    todo: 'Use another value, or update the record that exists.',
    example: {
      detail: "There is a user 'a@example.com' already.",
      source: { pointer: '/data/attributes/email' },
    },
  },
  idempotency_key_not_valid: {
    when: 'The header Idempotency-Key of a POST or PATCH is empty, longer than 255 characters, or not one string of visible ASCII characters.',
    todo: 'Send one random value for each thing to be done once, such as a UUID, in double quotes.',
    example: {
      detail: 'Idempotency-Key is empty; send a random UUID in quotes.',
      source: { header: 'Idempotency-Key' },
    },
  },
  idempotency_key_in_use: {
    when: 'A request with the same Idempotency-Key is being processed, here or on another replica.',
    todo: 'Send the same request again after the second in `Retry-After`; it gets the stored answer.',
    example: {
      detail: 'A request with this Idempotency-Key is being processed; try again in a moment.',
      source: { header: 'Idempotency-Key' },
    },
  },
  idempotency_key_reused: {
    when: 'The same Idempotency-Key was sent within 24 hours with another method, address, token scope or body.',
    todo: 'Send a new key with a new request; repeat a request exactly as it was.',
    example: {
      detail:
        'This Idempotency-Key was sent before with another method, address, token scope or body; send a new key.',
      source: { header: 'Idempotency-Key' },
    },
  },
  entity_tag_not_valid: {
    when: 'The header If-Match or If-None-Match is neither `*` nor a list of entity tags in quotes.',
    todo: 'Send the `ETag` of an answer as it is, with its quotes.',
    example: {
      detail: 'If-Match is neither * nor a list of entity tags in quotes, such as "1-a", "2-b".',
      source: { header: 'If-Match' },
    },
  },
  last_event_id_not_valid: {
    when: 'The header Last-Event-ID of `GET /api/events/stream` is not the id of an event that is kept in this environment.',
    todo: 'Send the last `id` the stream gave you, `?from=start` for all events that are kept, or neither to begin now.',
    example: {
      detail:
        'Last-Event-ID is "abc"; it must be the id of an event that is kept. Without it the stream begins now, with ?from=start at the oldest event.',
      source: { header: 'Last-Event-ID' },
    },
  },
  precondition_failed: {
    when: 'The resource is not of the version that If-Match names any more. Nothing was changed.',
    todo: 'Read it again, apply the change to what it is now, and send that with the new `ETag`.',
    example: {
      detail: 'The resource was changed since; read it again.',
      source: { header: 'If-Match' },
    },
  },
  payload_too_large: {
    when: 'The body is larger than 1 MB, or 10 MB for imports.',
    todo: 'Send less, or split the import.',
  },
  uri_too_long: {
    when: 'The URL has more than 8,192 characters.',
    todo: 'Use fewer filters, or shorter lists of values.',
    example: { detail: 'the URL has 9001 characters, at most 8192 are allowed' },
  },
  unsupported_media_type: {
    when: '`Content-Type` is not `application/vnd.api+json`, or the body has a charset or encoding that is not read.',
    todo: 'Send `Content-Type: application/vnd.api+json`.',
    example: { source: { header: 'Content-Type' } },
  },
  validation_error: {
    when: 'An attribute, relationship or rule of the record is not satisfied. The title is the message; `meta.error` names the rule.',
    todo: 'Correct every entry of `errors` and send the request again. `not_supported` marks what Merx does not do yet.',
    example: {
      title: "can't be blank",
      detail: "name - can't be blank",
      source: { pointer: '/data/attributes/name' },
      meta: { error: 'blank' },
    },
  },
  locked: {
    when: 'The record cannot be changed or deleted now: others depend on it, or it is the last administrator.',
    todo: 'Remove what `detail` names first.',
    example: { detail: 'Cannot be deleted because dependent prices exist' },
  },
  too_many_requests: {
    when: 'More requests than the budget of the address, in a minute or in 10 seconds. Refused requests count.',
    todo: 'Wait as many seconds as `Retry-After` says. Reuse tokens and cache answers.',
    example: { headers: { 'Retry-After': '12' } },
  },
  headers_too_large: {
    when: 'Request line and headers together are larger than 16 KB.',
    todo: 'Send fewer or smaller headers.',
  },
  internal_server_error: {
    when: 'An error inside Merx.',
    todo: 'Report it with `meta.request_id`; the log has the cause under that id.',
  },
  service_unavailable: {
    when: 'A part that the request needs (database, auth, core) cannot be reached, is too slow, or is starting.',
    todo: 'Repeat after `Retry-After`. Operators: [ServerErrors](../runbooks/server-errors.md).',
    example: { headers: { 'Retry-After': '1' } },
  },
} as const satisfies Record<keyof typeof jsonApiErrors, ErrorHelp>
