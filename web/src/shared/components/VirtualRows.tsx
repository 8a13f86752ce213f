import {
  defaultRangeExtractor,
  type Range,
  useWindowVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual'
import {
  type FocusEvent,
  Fragment,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { everyIndex, withNeighbours } from './row-indexes.ts'
import classes from './VirtualRows.module.css'

/** Up to so many rows all stay in the document, where the browser's own search finds them. */
export const WHOLE_LIST = 100
/** Rows beyond each edge of the window, which the wheel uncovers before the next frame is drawn. */
const OVERSCAN = 8

/** What a row hands to its element: where it stands among all rows, and how it is measured. */
export interface RowPlace {
  ref: (element: HTMLElement | null) => void
  'data-index': number
  'aria-rowindex'?: number
  'aria-posinset'?: number
  'aria-setsize'?: number
}

interface VirtualRowsProps<Row> {
  /** The body of a table whose first row is its header, or a list. */
  as: 'tbody' | 'ul'
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** How high a row probably is; what is on the screen is measured. */
  estimatePx: number
  /** The same for fingers, whose buttons are larger. */
  touchPx?: number
  children: (row: Row, place: RowPlace) => ReactNode
  className?: string | undefined
  'aria-label'?: string
}

interface Focused {
  key: string
  index: number
}

/**
 * Rows of a page that scrolls with its window, of which only those near the window are in the
 * document. The one with the keyboard's focus stays there wherever it is, between its neighbours,
 * where the Tab key leads; when it is taken away, the focus goes to the row in its place.
 */
export function VirtualRows<Row>(props: VirtualRowsProps<Row>) {
  const { as: Container, rows, keyOf, estimatePx, touchPx = estimatePx, children } = props
  const container = useRef<HTMLTableSectionElement & HTMLUListElement>(null)
  const top = useTop(container)
  const { focusedIndex, ...focusEvents } = useRowFocus(container, rows, keyOf)
  const virtualizer = useRowVirtualizer({ rows, keyOf, estimatePx, touchPx, top, focusedIndex })

  function placeOf({ index }: VirtualItem): RowPlace {
    return {
      ref: virtualizer.measureElement,
      'data-index': index,
      ...(Container === 'tbody'
        ? { 'aria-rowindex': index + 2 }
        : { 'aria-posinset': index + 1, 'aria-setsize': rows.length }),
    }
  }

  const items = virtualizer.getVirtualItems().filter(({ index }) => index < rows.length)
  const ends = [top, ...items.map(({ end }) => end)]
  return (
    <Container
      ref={container}
      className={[classes.rows, props.className].filter(Boolean).join(' ')}
      {...focusEvents}
      aria-label={props['aria-label']}
    >
      {items.map((item, place) => {
        const row = rows[item.index]
        return (
          <Fragment key={item.key}>
            <Gap within={Container} heightPx={item.start - (ends[place] ?? item.start)} />
            {row !== undefined && children(row, placeOf(item))}
          </Fragment>
        )
      })}
      <Gap within={Container} heightPx={top + virtualizer.getTotalSize() - (ends.at(-1) ?? top)} />
    </Container>
  )
}

interface RowVirtualizerOptions<Row> extends Pick<VirtualRowsProps<Row>, 'rows' | 'keyOf'> {
  estimatePx: number
  touchPx: number
  top: number
  focusedIndex: number
}

function useRowVirtualizer<Row>(options: RowVirtualizerOptions<Row>) {
  const { rows, keyOf, estimatePx, touchPx, top, focusedIndex } = options
  const isWhole = rows.length <= WHOLE_LIST
  const [isTouched] = useState(() => window.matchMedia('(pointer: coarse)').matches)
  return useWindowVirtualizer<HTMLElement>({
    count: rows.length,
    estimateSize: () => (isTouched ? touchPx : estimatePx),
    getItemKey: useCallback(
      (index: number) => {
        const row = rows[index]
        return row === undefined ? index : keyOf(row)
      },
      [rows, keyOf],
    ),
    rangeExtractor: useCallback(
      (range: Range) =>
        isWhole
          ? everyIndex(range)
          : withNeighbours(defaultRangeExtractor(range), focusedIndex, range),
      [isWhole, focusedIndex],
    ),
    // Heights of table rows have fractions, which would add up over thousands of them.
    measureElement: (element) => element.getBoundingClientRect().height,
    overscan: OVERSCAN,
    scrollMargin: top,
  })
}

/** How far the rows begin below the top of the document. */
function useTop(container: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  // Whatever stands above may have come, gone or grown with any rendering.
  useLayoutEffect(() => {
    const edge = container.current?.getBoundingClientRect().top
    if (edge !== undefined) setTop(Math.round(edge + window.scrollY))
  })
  return top
}

/** Which row has the focus, -1 for none; the focus of a row that goes moves to the next one. */
function useRowFocus<Row>(
  container: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
) {
  const [focused, setFocused] = useState<Focused | null>(null)
  const focusedIndex = focused ? findRow(rows, keyOf, focused) : -1

  useLayoutEffect(() => {
    if (!focused || focusedIndex !== -1) return
    const heir = Math.min(focused.index, rows.length - 1)
    const buttons = container.current?.querySelectorAll<HTMLButtonElement>(
      `[data-index="${heir}"] button`,
    )
    // A focus that is elsewhere by now stays there. The last button takes a row away.
    if (document.activeElement === document.body) [...(buttons ?? [])].at(-1)?.focus()
  }, [container, focused, focusedIndex, rows])

  function onFocus({ target }: FocusEvent) {
    const index = Number(target.closest('[data-index]')?.getAttribute('data-index') ?? -1)
    const row = rows[index]
    if (row !== undefined) setFocused({ key: keyOf(row), index })
  }

  function onBlur({ relatedTarget, currentTarget }: FocusEvent) {
    // On its way to a neighbour, which must not go before the focus has arrived there.
    if (!currentTarget.contains(relatedTarget)) setFocused(null)
  }

  return { focusedIndex, onFocus, onBlur }
}

/** Is as high as the rows that are out of sight. */
function Gap({ within, heightPx }: { within: 'tbody' | 'ul'; heightPx: number }) {
  // Less is what rounding left over.
  if (heightPx < 1) return null
  const style = { blockSize: heightPx }
  if (within === 'ul') return <li aria-hidden="true" className={classes.gap} style={style} />
  return (
    <tr aria-hidden="true" className={classes.gap} style={style}>
      <td />
    </tr>
  )
}

function findRow<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  { key, index }: Focused,
): number {
  const row = rows[index]
  if (row !== undefined && keyOf(row) === key) return index
  return rows.findIndex((candidate) => keyOf(candidate) === key)
}
