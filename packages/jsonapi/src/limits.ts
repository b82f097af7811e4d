/** Limits of one request, as data, so that errors, tests and documentation have the same numbers. */
export const limits = {
  /** Of path and query together, as sent. */
  urlCharactersMax: 8_192,
  parametersMax: 200,
  filtersMax: 50,
  filterValuesMax: 200,
  /** Relationships crossed by one filter. */
  filterDepthMax: 4,
  includePathsMax: 60,
  includeDepthMax: 6,
  sortsMax: 20,
  pageSizeDefault: 10,
  pageSizeMax: 25,
  pageNumberMax: 2_147_483_647,
  /** Linkages of one to-many relationship in a write. */
  linkagesMax: 200,
  /** Characters of an object or list attribute as JSON. */
  jsonCharactersMax: 65_535,
  jsonDepthMax: 20,
  textCharactersMax: 65_535,
} as const
