import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { Link } from "../data/router.tsx"
import type { Listed } from "../data/hooks.ts"
import { Empty, Loading, Problem, SCROLLS } from "./basics.tsx"

/** A column. On a narrow screen a row has two lines, with only the columns that have a place. */
export interface Column<Row> {
  readonly name: string
  /** The width in the grid, such as `120px` or `1fr`. */
  readonly width: string
  readonly place?: "start" | "end" | "below" | "under"
  readonly align?: "right"
  /** Whether it is left out if there is little room. */
  readonly isRare?: boolean
  readonly show: (row: Row) => ComponentChildren
}

interface ListProps<Row> {
  readonly label: string
  readonly list: Listed<Row>
  /** The shown rows of the list; all by default. */
  readonly rows?: ReadonlyArray<Row>
  readonly columns: ReadonlyArray<Column<Row>>
  /** The link of a row, and its name for screen readers. */
  readonly to?: (row: Row) => string
  readonly empty: ComponentChildren
  /** The content above the rows, such as filters. */
  readonly children?: ComponentChildren
}

const WIDE = 44
const NARROW = 68

/** How many rows are drawn beyond the visible ones. */
const BEYOND = 4

/** Narrower lists have rows of two lines, or leave out the rare columns. */
const LITTLE = 640
const SOME = 900

/** Returns the room of a list, and which of its rows are visible. */
const useWindow = (count: number) => {
  const frame = useRef<HTMLElement>(null)
  const [seen, setSeen] = useState({ top: 0, view: 800, room: innerWidth })
  const look = () => {
    const element = frame.current
    if (element === null) return
    const { clientHeight: view, clientWidth: room, scrollTop: top } = element
    setSeen((was) =>
      was.top === top && was.view === view && was.room === room ? was : { top, view, room },
    )
  }
  useLayoutEffect(look, [count])
  useEffect(() => {
    const observer = new ResizeObserver(look)
    if (frame.current !== null) observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  const isNarrow = seen.room < LITTLE
  const height = isNarrow ? NARROW : WIDE
  const first = Math.max(0, Math.floor(seen.top / height) - BEYOND)
  const last = Math.min(count, Math.ceil((seen.top + seen.view) / height) + BEYOND)
  return { frame, height, look, first, last, isNarrow, isTight: seen.room < SOME }
}

/**
 * Assigns the rows from `first` to `last` to elements, as many as were ever needed at once. A row
 * keeps its element while it is visible. If a jump leaves no old row visible, new rows take the
 * elements in their order, so that no element moves and only texts change.
 */
const usePlaces = (first: number, last: number): ((at: number) => number) => {
  const state = useRef({ first: 0, last: 0, shift: 0, most: 1 })
  const was = state.current
  const isJump = first >= was.last || last <= was.first
  const shift = isJump ? was.shift + first - was.first : was.shift
  const most = Math.max(was.most, last - first)
  state.current = { first, last, shift, most }
  return (at) => (((at - shift) % most) + most) % most
}

interface RowProps<Row> {
  readonly row: Row
  /** The row's index, from 0. */
  readonly at: number
  readonly height: number
  /** The shown columns. */
  readonly columns: ReadonlyArray<Column<Row>>
  readonly all: ReadonlyArray<Column<Row>>
  readonly to: ((row: Row) => string) | undefined
}

/** A row in its element, which is rendered again for another row or another layout. */
const RowOf = <Row,>({ all, at, columns, height, row, to }: RowProps<Row>) =>
  useMemo(
    () => (
      <tr aria-rowindex={at + 2} class="row" style={{ top: `${at * height}px` }}>
        {columns.map(({ align, name, place, show }, n) => (
          <td key={name} class={`cell ${align ?? ""} ${place ?? ""}`}>
            {n === 0 && to !== undefined ? (
              <Link to={to(row)} class="row-link">
                {show(row)}
              </Link>
            ) : (
              show(row)
            )}
          </td>
        ))}
      </tr>
    ),
    [row, at, height, columns.length, all],
  )

/**
 * A table of any length. Only visible rows are drawn, and the next page is requested near the end.
 */
export const List = <Row extends { readonly id: string }>(props: ListProps<Row>) => {
  const { children, empty, label, list, rows = list.rows, to } = props
  const { first, frame, height, isNarrow, isTight, last, look } = useWindow(rows.length)
  const columns = props.columns.filter(({ isRare, place }) =>
    isNarrow ? place !== undefined : !(isTight && isRare === true),
  )
  const placeOf = usePlaces(first, last)
  const isEnd = last >= rows.length
  const { error, hasMore, isLoading, more } = list
  useEffect(() => {
    if (isEnd && hasMore && !isLoading && error === undefined) more()
  }, [isEnd, hasMore, isLoading, error, more])
  const template = columns.map(({ width }) => width).join(" ")
  const isNone = rows.length === 0 && !isLoading && !hasMore && error === undefined
  return (
    <div class="list">
      {children}
      <section
        class={`list-frame ${isNarrow ? "narrow" : ""}`}
        ref={frame}
        onScroll={look}
        aria-label={label}
        {...SCROLLS}
      >
        <table
          style={{ "--columns": template }}
          aria-label={label}
          aria-rowcount={hasMore ? -1 : rows.length + 1}
        >
          <thead class="list-head">
            <tr class="row">
              {columns.map(({ align, name, place }) => (
                <th key={name} scope="col" class={`cell ${align ?? ""} ${place ?? ""}`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody class="list-body" style={{ height: `${rows.length * height}px` }}>
            {rows.slice(first, last).map((row, n) => (
              <RowOf
                // The element stays for the next row that is assigned to it.
                key={placeOf(first + n)}
                {...{ row, height, columns, to }}
                all={props.columns}
                at={first + n}
              />
            ))}
          </tbody>
        </table>
        {isLoading && <Loading rows={rows.length === 0 ? 6 : 1} />}
        {error !== undefined && (
          <Problem text={error} again={rows.length > 0 ? more : list.again} />
        )}
        {isNone && <Empty title="Nothing here">{empty}</Empty>}
      </section>
    </div>
  )
}
