/** The one style sheet of the pages. It stands in the page; its digest in the Content-Security-Policy admits it alone. */
import { createHash } from 'node:crypto'
import type { Html } from './html.ts'

/** Text on ground has a contrast of 4.5 or more, borders of controls 3 or more (WCAG 2.2, 1.4.3 and 1.4.11). */
const STYLE = `
:root { color-scheme: light dark; --ground: #f4f5f2; --card: #ffffff; --text: #1b211d; --soft: #56605a; --line: #dfe3de;
  --field: #7b857e; --accent: #14532d; --accent-text: #ffffff; --accent-hover: #0d3b20; --focus: #1d4ed8;
  --bad: #a11616; --bad-ground: #fdf1f0; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #111512; --card: #1a201c; --text: #eef2ee; --soft: #aab4ac; --line: #333b35; --field: #8b958e;
    --accent: #8fd3a5; --accent-text: #0c1a11; --accent-hover: #b2e3c2; --focus: #93b4ff; --bad: #ff9c94;
    --bad-ground: #2c1a19; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center; background: var(--ground);
  color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
header, main, footer { width: 100%; max-width: 27rem; }
header, footer { padding: 0 calc(1.75rem + 1px); }
header { padding-top: clamp(1.5rem, 9vh, 5.5rem); padding-bottom: 1.25rem; font-weight: 650; letter-spacing: -0.01em; }
header span { color: var(--soft); font-weight: 450; }
main { background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; padding: 1.75rem 1.75rem 2rem; }
footer { padding-top: 1rem; padding-bottom: 2rem; color: var(--soft); font-size: 0.875rem; }
h1 { margin: 0 0 0.5rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.015em; text-wrap: balance; }
h2 { margin: 0; font-size: 1rem; }
.demo { margin-top: 2rem; }
p { margin: 0 0 1rem; }
.soft { color: var(--soft); }
a { color: inherit; text-underline-offset: 0.15em; }
label { display: block; margin: 1rem 0 0.3rem; font-weight: 600; }
input { width: 100%; padding: 0.6rem 0.75rem; border: 1px solid var(--field); border-radius: 0.5rem; background: var(--card);
  color: var(--text); font: inherit; }
input[aria-invalid="true"] { border: 2px solid var(--bad); }
.violation { margin: 0.3rem 0 0; color: var(--bad); font-size: 0.9375rem; }
.summary { margin: 0 0 1.25rem; padding: 0.8rem 1rem; border: 1px solid var(--bad); border-left-width: 0.3rem; border-radius: 0.5rem;
  background: var(--bad-ground); }
.summary h2, .summary a { color: var(--bad); }
.summary p, .summary ul { margin: 0.2rem 0 0; padding: 0; list-style: none; }
button, .button { display: block; width: 100%; padding: 0.65rem 1rem; border: 1px solid var(--field); border-radius: 0.5rem;
  background: transparent; color: var(--text); font: inherit; font-weight: 600; text-align: center; text-decoration: none;
  cursor: pointer; }
button:hover, .button:hover { border-color: var(--text); }
.primary { margin-top: 1.5rem; border-color: var(--accent); background: var(--accent); color: var(--accent-text); }
.primary:hover { border-color: var(--accent-hover); background: var(--accent-hover); }
.second { margin-top: 0.75rem; }
.plain { display: inline; width: auto; padding: 0; border: 0; border-radius: 0.2rem; font-weight: 450; text-decoration: underline;
  text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
dl { margin: 1.25rem 0 0; border-top: 1px solid var(--line); }
dl div { padding: 0.65rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); font-size: 0.875rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.who { margin: 1.25rem 0 0; color: var(--soft); overflow-wrap: anywhere; }
.who form { display: inline; }
@media (max-width: 30rem) { header, footer { padding-left: 1.25rem; padding-right: 1.25rem; } main { border-radius: 0; border-left: 0; border-right: 0; padding: 1.5rem 1.25rem; } }
`

/** CSP source of exactly this sheet (CSP3 2.3.1). */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

/** As one piece, because every character counts for the digest. */
export const STYLE_ELEMENT: Html = { html: `<style>${STYLE}</style>` }
