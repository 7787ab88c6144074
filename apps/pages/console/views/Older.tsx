import { besides, type PagePlace } from "../show/older.ts"
import { Link } from "../data/router.tsx"

interface OlderProps {
  /** The path of the view. */
  readonly path: string
  readonly at: PagePlace
}

/** Links to the rows before and after those of a page; nothing if all are shown. */
export const Older = ({ at, path }: OlderProps) => {
  const { newer, older } = besides(at)
  if (newer === undefined && older === undefined) return null
  const to = (from: number) => (from === 0 ? path : `${path}?from=${from}`)
  return (
    <nav class="acts end" aria-label="Pages">
      {newer !== undefined && (
        <Link to={to(newer)} class="act">
          Newer
        </Link>
      )}
      {older !== undefined && (
        <Link to={to(older)} class="act">
          Older
        </Link>
      )}
    </nav>
  )
}
