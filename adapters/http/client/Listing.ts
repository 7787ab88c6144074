import { PayportError } from "./PayportError.ts"

/** A list. Awaiting it returns a page. Iterating over it yields every item of every page. */
export interface Listing<Page extends { readonly data: ReadonlyArray<unknown> }>
  extends Promise<Page>, AsyncIterable<Page["data"][number]> {}

/** Returns the query of the next page; undefined after the last page. */
export type Next = (page: ListedPage) => { readonly [name: string]: unknown } | undefined

/** The common fields of both kinds of page. */
export interface ListedPage {
  readonly data: ReadonlyArray<unknown>
  readonly has_more?: boolean
  readonly pagination?: { readonly total: number; readonly offset: number }
}

const unexpected = (message: string): PayportError =>
  new PayportError({ status: 200, code: "UNEXPECTED_ANSWER", category: "unknown", message })

/**
 * Continues after the page's last item, whose id is in the named field. Throws if there are more
 * items and that field has none: the list would seem to end there.
 */
export const afterLast =
  (name: string): Next =>
  ({ data, has_more }) => {
    if (has_more !== true) return undefined
    const last: unknown = data.at(-1)
    const id: unknown =
      typeof last === "object" && last !== null ? Reflect.get(last, name) : undefined
    if (typeof id === "string") return { starting_after: id }
    throw unexpected(`The service has more items, but the last one of its page has no ${name}.`)
  }

/** Continues after the number of items shown. */
export const fromOffset: Next = ({ data, pagination }) => {
  if (pagination === undefined || data.length === 0) return undefined
  const offset = pagination.offset + data.length
  return offset < pagination.total ? { offset } : undefined
}

/** The service answers with an earlier page again, which would never end. */
const endless = () =>
  unexpected("The service returned the same page again instead of the next one.")

/** Returns a list that requests its pages one after the other, and the first at once. */
export const listing = (
  ask: (changed: { readonly [name: string]: unknown }) => Promise<ListedPage>,
  next: Next,
): Listing<ListedPage> => {
  const first = ask({})
  const items = async function* () {
    let asked = ""
    for (let page = await first; ;) {
      yield* page.data
      const changed = next(page)
      if (changed === undefined) return
      const asking = JSON.stringify(changed)
      if (asking === asked) throw endless()
      asked = asking
      page = await ask(changed)
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items })
}
