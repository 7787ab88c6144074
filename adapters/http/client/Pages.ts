import { PayportError } from "./PayportError.ts"

/** The common fields of both kinds of page. */
export interface ListedPage {
  readonly data: ReadonlyArray<unknown>
  readonly has_more?: boolean
  readonly pagination?: { readonly total: number; readonly offset: number }
}

/** Requests a page. The fields replace those of the list's query. */
export type Ask = (changed: { readonly [name: string]: unknown }) => Promise<ListedPage>

/** Yields the items of each page after the first one. */
export type Pages = (first: ListedPage, ask: Ask) => AsyncGenerator<ReadonlyArray<unknown>, void>

/** Returns a field of an item; undefined if it has none. */
export const fieldOf = (item: unknown, name: string): unknown =>
  typeof item === "object" && item !== null ? Reflect.get(item, name) : undefined

const unexpected = (message: string): PayportError =>
  new PayportError({ status: 200, code: "UNEXPECTED_ANSWER", category: "unknown", message })

/** The service answers with an earlier page again, which would never end. */
export const endless = () =>
  unexpected("The service returned the same page again instead of the next one.")

/**
 * Continues after each page's last item, whose id is in the named field. Throws if there are more
 * items and that field has none: the list would seem to end there.
 */
export const afterLast = (name: string): Pages =>
  async function* (first, ask) {
    let asked: unknown
    for (let page = first; page.has_more === true;) {
      const id = fieldOf(page.data.at(-1), name)
      if (typeof id !== "string") {
        throw unexpected(`There are more items, but the last one of a page has no ${name}.`)
      }
      if (id === asked) throw endless()
      asked = id
      page = await ask({ starting_after: id })
      yield page.data
    }
  }
