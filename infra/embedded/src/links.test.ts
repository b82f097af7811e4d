/** Links between the Markdown pages of the project lead to files and headings that exist. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')

const pages = globSync('**/*.md', {
  cwd: ROOT,
  exclude: (name) => ['node_modules', '.merx', 'generated', 'coverage'].includes(path.basename(name)),
}).toSorted()

const read = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8')

const withoutCode = (text: string): string =>
  text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')

/** As GitHub makes anchors of headings. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set([...read(page).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)))

const problemOf = (page: string, link: string): string | undefined => {
  const [target = '', anchor] = link.split('#')
  const file = target === '' ? page : path.join(path.dirname(page), decodeURIComponent(target))
  if (!existsSync(path.join(ROOT, file))) return `${link}: there is no ${file}`
  if (anchor === undefined || !file.endsWith('.md') || anchorsOf(file).has(anchor)) return undefined
  return `${link}: ${file} has no heading for it`
}

const linksOf = (text: string): readonly string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/i.test(link))

describe('the pages', () => {
  it('are found', () => {
    expect(pages.length).toBeGreaterThan(100)
    expect(pages).toContain('README.md')
  })

  it.each(pages)('%s links to what exists', (page) => {
    const problems = linksOf(read(page)).map((link) => problemOf(page, link))
    expect(problems.filter((problem) => problem !== undefined)).toEqual([])
  })
})
