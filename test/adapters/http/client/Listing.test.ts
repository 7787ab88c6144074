import { expect, test } from "vitest"
import { fromOffset } from "../../../../adapters/http/client/fromOffset.ts"
import { listing } from "../../../../adapters/http/client/Listing.ts"
import { afterLast } from "../../../../adapters/http/client/Pages.ts"

interface Item {
  readonly id: string
}

/** A list with two items a page, whose items come and go while it is read. */
const makeList = (letters: string) => {
  let items: ReadonlyArray<Item> = [...letters].map((id) => ({ id }))
  return {
    add: (id: string) => void (items = [{ id }, ...items]),
    remove: (...ids: ReadonlyArray<string>) =>
      void (items = items.filter(({ id }) => !ids.includes(id))),
    byOffset: listing(async ({ offset = 0 }) => {
      const from = Number(offset)
      return {
        data: items.slice(from, from + 2),
        pagination: { total: items.length, offset: from },
      }
    }, fromOffset),
    byCursor: listing(async ({ starting_after }) => {
      const last = items.findIndex(({ id }) => id === starting_after)
      if (starting_after !== undefined && last < 0) throw new Error("No such item.")
      const rest = items.slice(last + 1)
      return { data: rest.slice(0, 2), has_more: rest.length > 2 }
    }, afterLast("id")),
  }
}

const read = async (list: AsyncIterable<unknown>, act: (id: string) => void): Promise<string> => {
  let seen = ""
  for await (const item of list) {
    const { id } = item as Item
    seen += id
    act(id)
  }
  return seen
}

test.each(["byOffset", "byCursor"] as const)("%s shows all items once", async (pages) => {
  for (const letters of ["", "A", "AB", "ABC", "ABCDEFG"]) {
    expect(await read(makeList(letters)[pages], () => {})).toBe(letters)
  }
})

test.each(["byOffset", "byCursor"] as const)(
  "%s shows all that a caller removes",
  async (pages) => {
    const list = makeList("ABCDEFG")
    expect(await read(list[pages], (id) => list.remove(id))).toBe("ABCDEFG")
  },
)

test.each([
  [
    "each second one that is shown",
    (list: ReturnType<typeof makeList>, id: string) =>
      list.remove(...("BDF".includes(id) ? [id] : [])),
  ],
  [
    "others that were shown",
    (list: ReturnType<typeof makeList>, id: string) =>
      list.remove(...(id === "D" ? ["A", "B"] : [])),
  ],
])("by offset, removed: %s", async (_, act) => {
  const list = makeList("ABCDEFG")
  expect(await read(list.byOffset, (id) => act(list, id))).toBe("ABCDEFG")
})

test("by offset, others remove items that were not shown yet, and one is new", async () => {
  const list = makeList("ABCDEFG")
  const seen = await read(list.byOffset, (id) => {
    if (id === "A") list.remove("C", "D")
    if (id === "E") list.add("Z")
  })
  expect(seen).toBe("ABEFG")
})

test("a service that ignores the offset is given up", async () => {
  const page = { data: [{ id: "A" }], pagination: { total: 3, offset: 0 } }
  const list = listing(async () => page, fromOffset)
  await expect(read(list, () => {})).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" })
})

test("more items after one without an id are an error, after the items", async () => {
  const list = listing(async () => ({ data: [{ id: "A" }], has_more: true }), afterLast("other_id"))
  let seen = ""
  const reading = read(list, (id) => (seen += id))
  await expect(reading).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" })
  expect(seen).toBe("A")
})
