/** Links between the Markdown pages of the project lead to files and headings that exist, and so do paths in code spans. */
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

/** Paths from the root without wildcards or placeholders, such as `services/core/src/app.ts`. */
const pathsOf = (text: string): readonly string[] =>
  [
    ...text
      .replaceAll(/^```[\s\S]*?^```$/gm, '')
      .matchAll(
        /`((?:bench|docs|e2e|infra|packages|services)\/[\w./-]+\.(?:ts|mjs|js|md|sql|json|ya?ml|conf|prisma))`/g,
      ),
  ].map(([, file = '']) => file)

/** Recipes name the files that their reader makes. */
const isRecipe = (page: string): boolean => page.startsWith('docs/how-to/add-a-')

/** Not in the repository. */
const isMade = (file: string): boolean => /generated|\.env$/.test(file)

describe('the pages', () => {
  it('are found', () => {
    expect(pages.length).toBeGreaterThan(100)
    expect(pages).toContain('README.md')
  })

  it.each(pages)('%s links to what exists', (page) => {
    const problems = linksOf(read(page)).map((link) => problemOf(page, link))
    expect(problems.filter((problem) => problem !== undefined)).toEqual([])
  })

  it.each(pages.filter((page) => !isRecipe(page)))('%s names files that exist', (page) => {
    const missing = pathsOf(read(page)).filter((file) => !isMade(file) && !existsSync(path.join(ROOT, file)))
    expect(missing).toEqual([])
  })

  it.each(pages.filter((page) => /^docs\/(how-to|reference)\//.test(page)))(
    'docs/README.md leads to %s',
    (page) => {
      expect(linksOf(read('docs/README.md'))).toContain(path.relative('docs', page))
    },
  )
})
