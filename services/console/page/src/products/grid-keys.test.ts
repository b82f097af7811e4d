import { gridAction, placeAfterEdit } from './grid-keys.ts'

const size = { rows: 2_000, columns: 8, page: 20, isRightToLeft: false }
const at = { row: 10, column: 3 }

const pressed = (key: string, more: object = {}) => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
  ...more,
})

const moved = (key: string, more: object = {}, from = at, grid = size) => {
  const action = gridAction(pressed(key, more), from, grid)
  return action?.kind === 'move' ? [action.to.row, action.to.column] : undefined
}

describe('a key in the grid', () => {
  it.each([
    ['ArrowDown', {}, [11, 3]],
    ['ArrowUp', {}, [9, 3]],
    ['ArrowRight', {}, [10, 4]],
    ['ArrowLeft', {}, [10, 2]],
    ['PageDown', {}, [30, 3]],
    ['PageUp', {}, [0, 3]],
    ['Home', {}, [10, 0]],
    ['End', {}, [10, 7]],
    ['Home', { ctrlKey: true }, [0, 0]],
    ['End', { metaKey: true }, [1_999, 7]],
    ['ArrowDown', { ctrlKey: true }, [1_999, 3]],
    ['ArrowUp', { ctrlKey: true }, [0, 3]],
  ])('%s moves %j to %j', (key, more, place) => {
    expect(moved(key, more)).toEqual(place)
  })

  it('stays in the grid, and goes the other way where lines are read from the right', () => {
    expect(moved('ArrowUp', {}, { row: 0, column: 0 })).toEqual([0, 0])
    expect(moved('ArrowRight', {}, { row: 1_999, column: 7 })).toEqual([1_999, 7])
    expect(moved('ArrowRight', {}, at, { ...size, isRightToLeft: true })).toEqual([10, 2])
    expect(moved('ArrowDown', {}, at, { ...size, rows: 0 })).toEqual([0, 3])
  })

  it('edits with Enter, F2 or what is typed, and leaves keys of the browser alone', () => {
    expect(gridAction(pressed('Enter'), at, size)).toEqual({ kind: 'edit' })
    expect(gridAction(pressed('F2'), at, size)).toEqual({ kind: 'edit' })
    expect(gridAction(pressed('7'), at, size)).toEqual({ kind: 'edit', text: '7' })
    for (const key of [
      pressed('r', { ctrlKey: true }),
      pressed('Tab'),
      pressed(' '),
      pressed('7', { altKey: true }),
    ])
      expect(gridAction(key, at, size)).toBeUndefined()
  })
})

describe('the cell after an edited one', () => {
  it('is below after Enter and the next after Tab, with Shift the other way', () => {
    expect(placeAfterEdit(pressed('Enter'), at, size)).toEqual({ row: 11, column: 3 })
    expect(placeAfterEdit(pressed('Enter', { shiftKey: true }), at, size)).toEqual({ row: 9, column: 3 })
    expect(placeAfterEdit(pressed('Tab'), at, size)).toEqual({ row: 10, column: 4 })
    expect(placeAfterEdit(pressed('Tab', { shiftKey: true }), at, size)).toEqual({ row: 10, column: 2 })
    expect(placeAfterEdit(pressed('5'), at, size)).toBeUndefined()
  })
})
