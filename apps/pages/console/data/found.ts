import { useEffect, useRef, useState } from "preact/hooks"

/** So long the page is kept busy at a time, in milliseconds: half of what one frame takes. */
const SLICE = 8

/** So many rows are looked at between two looks at the clock. */
const STEP = 500

interface Found<Row> {
  readonly among: ReadonlyArray<Row>
  readonly wanted: string
  readonly rows: ReadonlyArray<Row>
}

/** Where a search can go on from: a longer text is found in nothing that has not the shorter. */
const smaller = <Row>({ among, rows, wanted }: Found<Row>, all: ReadonlyArray<Row>, text: string) =>
  among === all && text.includes(wanted) ? rows : all

/**
 * The rows with a text in them; all without one. It looks through them a slice at a time, so that
 * whoever types or scrolls meanwhile is not kept waiting, and shows the former ones until then.
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
