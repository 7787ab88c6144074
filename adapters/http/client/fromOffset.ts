import { endless, fieldOf, type ListedPage, type Pages } from "./Pages.ts"

/** Returns where a page ends, and the number of all items. */
const placeOf = ({ data, pagination = { offset: 0, total: 0 } }: ListedPage) => ({
  end: pagination.offset + data.length,
  total: pagination.total,
})

/**
 * Continues after the number of shown items. Items may leave the list meanwhile, such as those that
 * the caller cancels, and the others move up. So a page that shows a smaller total is requested
 * again, earlier by the difference, and what was shown before is left out.
 */
export const fromOffset: Pages = async function* (first, ask) {
  const start = first.pagination?.offset ?? 0
  const seen = new Set<unknown>(first.data.map((item) => fieldOf(item, "id")))
  const isNew = (item: unknown): boolean => {
    const id = fieldOf(item, "id")
    return id === undefined || !seen.has(id)
  }

  const askAt = async (offset: number, total: number): Promise<ListedPage> => {
    const page = await ask({ offset })
    const now = placeOf(page).total
    const earlier = Math.max(start, offset - (total - now))
    return earlier < offset ? askAt(earlier, now) : page
  }

  for (let place = placeOf(first); place.end < place.total;) {
    const page = await askAt(place.end, place.total)
    if (page.data.length === 0) return
    const fresh = page.data.filter(isNew)
    const next = placeOf(page)
    const isFurther = next.end > place.end || next.total < place.total
    if (fresh.length === 0 && !isFurther) throw endless()
    for (const item of fresh) seen.add(fieldOf(item, "id"))
    place = next
    yield fresh
  }
}
