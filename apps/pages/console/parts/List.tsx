import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { Link } from "../data/router.tsx"
import type { Listed } from "../data/hooks.ts"
import { Empty, Loading, Problem } from "./basics.tsx"

/** A column. On a narrow screen a row has two lines, and only columns with a place are shown. */
export interface Column<Row> {
  readonly name: string
  /** Of the grid, such as `120px` or `1fr`. */
  readonly width: string
  readonly place?: "start" | "end" | "below" | "under"
  readonly align?: "right"
  readonly show: (row: Row) => ComponentChildren
}

interface ListProps<Row> {
  readonly label: string
  readonly list: Listed<Row>
  /** Those of the list's rows that are shown; all unless given. */
  readonly rows?: ReadonlyArray<Row>
  readonly columns: ReadonlyArray<Column<Row>>
  /** Where a row leads, and its name for readers of screens. */
  readonly to?: (row: Row) => string
  readonly empty: ComponentChildren
  /** What is above the rows, such as filters. */
  readonly children?: ComponentChildren
}

const WIDE = 44
const NARROW = 68

/** So many rows are drawn beyond what can be seen. */
const BEYOND = 8

const isNarrow = (): boolean => matchMedia("(max-width: 719px)").matches

/** How high a row is, and which rows can be seen of a scrolled list. */
const useWindow = (count: number) => {
  const frame = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(() => (isNarrow() ? NARROW : WIDE))
  const [seen, setSeen] = useState({ top: 0, view: 800 })
  const look = () => {
    const element = frame.current
    if (element === null) return
    setHeight(isNarrow() ? NARROW : WIDE)
    setSeen((was) =>
      was.top === element.scrollTop && was.view === element.clientHeight
        ? was
        : { top: element.scrollTop, view: element.clientHeight },
    )
  }
  useLayoutEffect(look, [count])
  useEffect(() => {
    const observer = new ResizeObserver(look)
    if (frame.current !== null) observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  const first = Math.max(0, Math.floor(seen.top / height) - BEYOND)
  const last = Math.min(count, Math.ceil((seen.top + seen.view) / height) + BEYOND)
  return { frame, height, look, first, last }
}

/**
 * A table of any length: only the rows that can be seen are drawn, and the next page is asked for
 * when its end comes near.
 */
export const List = <Row extends { readonly id: string }>(props: ListProps<Row>) => {
  const { children, columns, empty, label, list, rows = list.rows, to } = props
  const { first, frame, height, last, look } = useWindow(rows.length)
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
      <div
        class="list-frame"
        ref={frame}
        onScroll={look}
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <div role="table" aria-label={label} aria-rowcount={hasMore ? -1 : rows.length + 1}>
          <div role="rowgroup" class="list-head">
            <div role="row" class="row" style={{ gridTemplateColumns: template }}>
              {columns.map(({ align, name, place }) => (
                <span
                  key={name}
                  role="columnheader"
                  class={`cell ${align ?? ""} ${place ?? "wide"}`}
                >
                  {name}
                </span>
              ))}
            </div>
          </div>
          <div role="rowgroup" class="list-body" style={{ height: `${rows.length * height}px` }}>
            {rows.slice(first, last).map((row, n) => (
              <div
                key={row.id}
                role="row"
                aria-rowindex={first + n + 2}
                class="row"
                style={{ gridTemplateColumns: template, top: `${(first + n) * height}px` }}
              >
                {columns.map(({ align, name, place, show }, at) => (
                  <span key={name} role="cell" class={`cell ${align ?? ""} ${place ?? "wide"}`}>
                    {at === 0 && to !== undefined ? (
                      <Link to={to(row)} class="row-link">
                        {show(row)}
                      </Link>
                    ) : (
                      show(row)
                    )}
                  </span>
                ))}
              </div>
            ))}
          </div>
        </div>
        {isLoading && <Loading rows={rows.length === 0 ? 6 : 1} />}
        {error !== undefined && (
          <Problem text={error} again={rows.length > 0 ? more : list.again} />
        )}
        {isNone && <Empty title="Nothing here">{empty}</Empty>}
      </div>
    </div>
  )
}
