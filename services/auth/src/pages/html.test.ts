import { html } from './html.ts'

describe('html', () => {
  it('escapes every value, in text and in attributes', () => {
    expect(html`<a title="${`"'<>&`}">${'<script>'}${1}</a>`.html).toBe(
      '<a title="&quot;&#39;&lt;&gt;&amp;">&lt;script&gt;1</a>',
    )
  })

  it('takes HTML as it is, in lists too, and leaves out what is undefined', () => {
    const items = ['<1>', '2'].map((text) => html`<i>${text}</i>`)
    expect(html`<b>${items}${undefined}${html`<u>x</u>`}</b>`.html).toBe(
      '<b><i>&lt;1&gt;</i><i>2</i><u>x</u></b>',
    )
  })
})
