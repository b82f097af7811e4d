/** Passwords of users: argon2id with the parameters OWASP asks for (19 MiB, 2 passes, 1 lane; the library's defaults). */
import { hash, verify } from '@node-rs/argon2'

export const hashPassword = (password: string): Promise<string> => hash(password)

export const isPasswordOf = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password)
