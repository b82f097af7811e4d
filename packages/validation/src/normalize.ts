/** The one form in which texts that people compare are stored, looked up, imported and signed in with. */

/** RFC 8265 4.2: one form of each character (NFC), and nothing else changed, because a password is what was typed. */
export const normalizePassword = (password: string): string => password.normalize('NFC')

/** One form of each character, in lower case: two spellings of an address are one account. */
export const normalizeEmail = (email: string): string => email.normalize('NFC').toLowerCase()

/** One form of each character, one space between words, none around: names that look alike are the same name. */
export const normalizeName = (name: string): string => name.normalize('NFC').trim().replace(/\s+/g, ' ')

/**
 * One part of an email: no `@`, no white space, and no character that nobody sees or that turns the writing around
 * (RFC 5321 4.1.2 and IDNA 2008 allow none).
 */
export const EMAIL_PART = '[^\\s@\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]+'
