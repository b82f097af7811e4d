/** What an upgrade from the release before 2026-11-25 changes on purpose; docs/how-to/upgrade.md says each to operators. */
const EXPECTED: readonly RegExp[] = [
  // Of metrics, renewed every few seconds.
  /^merx_core: feed_leases: /,
  // Derived from now on (ADR 88); the stored ones are as they were.
  /^\S+ (test|live) markets: shared_secret of /,
]

/** Pure. */
export const withoutExpected = (sentences: readonly string[]): readonly string[] =>
  sentences.filter((sentence) => !EXPECTED.some((pattern) => pattern.test(sentence)))
