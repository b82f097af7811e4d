import { renderPlot, roundUp } from './svg-plot.ts'

describe('a plot', () => {
  const plot = {
    title: 'Latency <p99>',
    unit: 'ms',
    series: [
      {
        name: 'p99',
        color: '#c30',
        points: [
          [0, 1],
          [10, 90],
        ] as const,
      },
    ],
  }

  it('is one SVG element that asks nothing of the net', () => {
    const svg = renderPlot(plot)
    expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 640 200"[^>]*>.*<\/svg>$/)
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toContain('http')
    expect(svg).not.toContain('<script')
  })

  it('escapes its texts', () => {
    expect(renderPlot(plot)).toContain('Latency &lt;p99&gt;')
  })

  it('puts the first point at the left and the largest value below a round top', () => {
    expect(renderPlot(plot)).toMatch(/points="64\.0,174\.5 632\.0,42\.8"/)
  })

  it('without points still has its axes', () => {
    expect(renderPlot({ ...plot, series: [] })).toContain('1 s')
  })

  it.each([
    [0, 1],
    [NaN, 1],
    [0.3, 0.5],
    [1, 1],
    [7, 10],
    [120, 200],
    [4_300, 5_000],
  ])('rounds the top of %d up to %d', (value, top) => {
    expect(roundUp(value)).toBeCloseTo(top)
  })
})
