import type { Ask, ListedPage, Pages } from "./Pages.ts"

/** A list. Awaiting it returns a page. Iterating over it yields every item of every page. */
export interface Listing<Page extends { readonly data: ReadonlyArray<unknown> }>
  extends Promise<Page>, AsyncIterable<Page["data"][number]> {}

/** Returns a list that requests its pages one after the other, and the first at once. */
export const listing = (ask: Ask, pagesAfter: Pages): Listing<ListedPage> => {
  const first = ask({})
  const items = async function* () {
    const begin = await first
    const pages = pagesAfter(begin, ask)
    for (let { data } = begin; ;) {
      yield* data.slice(0, -1)
      // Requested before the last item is shown: the caller may delete that, and then no page
      // could begin after it.
      const following = pages.next()
      await following.catch(() => {})
      yield* data.slice(-1)
      const { done, value } = await following
      if (done === true) return
      data = value
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items })
}
