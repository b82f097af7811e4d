/** What a write gets to know of an attempt. `id` is the number of its transaction. */
export type PaymentAnswer =
  /** The row is `answered`, for the write to count it. */
  | { readonly kind: 'moved'; readonly id: number }
  /** The gateway answers later. */
  | { readonly kind: 'waiting'; readonly id: number }
  | { readonly kind: 'declined'; readonly id: number; readonly message: string }
  /** The gateway was not asked, or nobody knows what it did. */
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
