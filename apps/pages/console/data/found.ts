import { useEffect, useRef, useState } from "preact/hooks"

/** How long a search blocks the page at a time, in milliseconds: half a frame. */
const SLICE = 8

/** How many rows are searched between two reads of the clock. */
const STEP = 500

interface Found<Row> {
  readonly among: ReadonlyArray<Row>
  readonly wanted: string
  readonly rows: ReadonlyArray<Row>
}

/** Returns the rows to search: the previous result, if the new text contains the previous one. */
const smaller = <Row>({ among, rows, wanted }: Found<Row>, all: ReadonlyArray<Row>, text: string) =>
  among === all && text.includes(wanted) ? rows : all

/**
 * Returns the rows with a text in them; all without a text. It searches in slices, so that typing
 * and scrolling are not blocked, and shows the previous rows until then.
 */
export const useFound = <Row>(
  all: ReadonlyArray<Row>,
  wanted: string,
  has: (row: Row, wanted: string) => boolean,
): ReadonlyArray<Row> => {
  const [found, setFound] = useState<Found<Row>>({ among: all, wanted: "", rows: all })
  const last = useRef(found)
  last.current = found
  useEffect(() => {
    if (wanted === "") return
    const among = smaller(last.current, all, wanted)
    const rows: Array<Row> = []
    let at = 0
    let waiting: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      const end = performance.now() + SLICE
      do {
        for (const row of among.slice(at, at + STEP)) if (has(row, wanted)) rows.push(row)
        at += STEP
      } while (at < among.length && performance.now() < end)
      if (at < among.length) waiting = setTimeout(look)
      else setFound({ among: all, wanted, rows })
    }
    look()
    return () => clearTimeout(waiting)
  }, [all, wanted, has])
  return wanted === "" ? all : found.rows
}
