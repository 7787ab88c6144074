import { usePlace } from "../data/router.tsx"

/** The rows of a page of a list. */
const PAGE_ROWS = 100

/** The place of a page in its list. */
export interface PagePlace {
  readonly offset: number
  readonly total: number
}

/** Returns where a page begins, by the text in its address; 0 for any other text. */
export const offsetIn = (text: string | null): number =>
  /^[1-9]\d{0,8}$/.test(text ?? "") ? Number(text) : 0

/** Says which rows of a list are shown; nothing for an empty list. */
export const rowsShown = (shown: number, { offset, total }: PagePlace): string | undefined => {
  if (total === 0) return undefined
  if (shown === 0) return `None of ${total} from here`
  if (offset > 0) return `${offset + 1} to ${offset + shown} of ${total}`
  return shown === total ? `${total} in all` : `The latest ${shown} of ${total}`
}

/** Returns where the pages before and after a page begin; undefined where there is none. */
export const besides = ({ offset, total }: PagePlace) => ({
  newer: offset > 0 ? Math.max(0, offset - PAGE_ROWS) : undefined,
  older: offset + PAGE_ROWS < total ? offset + PAGE_ROWS : undefined,
})

/** Returns the place of the page that the address names. */
export const usePage = () => {
  const { path, query } = usePlace()
  const offset = offsetIn(query.get("from"))
  return { path, asked: { limit: PAGE_ROWS, offset } }
}
