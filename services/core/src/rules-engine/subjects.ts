/** What rules can be about: the first name of their paths, and the type that it stands for. */
export const SUBJECTS = { order: 'orders', price: 'prices' } as const

export type RuleSubject = keyof typeof SUBJECTS
