/** Full-text queries with their meaning, for the oracle. */
export const texts: ReadonlyMap<string, (text: string) => boolean> = new Map<
  string,
  (text: string) => boolean
>([
  ['*@gmail.com', (text) => /@gmail\.com(?![\p{L}\p{N}])/iu.test(text)],
  [
    '(*@gmail.com | *@hotmail.com) + placed',
    (text) => /@(gmail|hotmail)\.com/i.test(text) && /\bplaced\b/i.test(text),
  ],
  ['*"person.1@hotmail.com"*', (text) => text.toLowerCase().includes('person.1@hotmail.com')],
  ['"new york" OR tokyo', (text) => /\b(new york|tokyo)\b/i.test(text)],
  ['*SHIRT*', (text) => text.toLowerCase().includes('shirt')],
  ['SHIRT', () => false],
  ['élodie', (text) => text.toLowerCase().includes('élodie')],
  ["l'aquila", (text) => text.toLowerCase().includes("l'aquila")],
  ['*İSTANBUL*', (text) => text.includes('İstanbul')],
  ['istanbul', () => false],
  ['οδος | ⓐVILLE', (text) => text.includes('ΟΔΟΣ') || text.includes('Ⓐville')],
  ['*', () => true],
  ['t*01', (text) => /(^|[^\p{L}\p{N}])t\S*01($|[^\p{L}\p{N}])/imu.test(text)],
])
