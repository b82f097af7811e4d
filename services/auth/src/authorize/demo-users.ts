/** A user of a demo shop, whose password is known to whoever sees the sign-in page. */
export interface DemoUser {
  readonly email: string
  readonly password: string
}

/** Those of the organization with this slug; none where the data is no demo. */
export type DemoUsers = (organization: string) => readonly DemoUser[]
