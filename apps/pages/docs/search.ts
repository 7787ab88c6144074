import MiniSearch from "minisearch"

interface Found {
  readonly url: string
  readonly page: string
  readonly heading: string
  readonly excerpt: string
}

const MOST_SHOWN = 12

/** The options of the index, which have to be the same for reading it. */
const OPTIONS = {
  fields: ["page", "heading", "text"],
  storeFields: ["url", "page", "heading", "excerpt"],
}

const make = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  said: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Name] => {
  const element = Object.assign(document.createElement(name), said)
  element.append(...children)
  return element
}

const loadIndex = async (url: string): Promise<MiniSearch<Found>> => {
  const response = await fetch(url)
  return MiniSearch.loadJSON<Found>(await response.text(), OPTIONS)
}

const findIn = (index: MiniSearch<Found>, words: string): ReadonlyArray<Found> =>
  index
    .search(words, {
      prefix: true,
      fuzzy: 0.15,
      combineWith: "AND",
      boost: { heading: 4, page: 2 },
    })
    .slice(0, MOST_SHOWN)
    .map((found) => ({
      url: String(found["url"]),
      page: String(found["page"]),
      heading: String(found["heading"]),
      excerpt: String(found["excerpt"]),
    }))

const item = (found: Found, base: string): HTMLLIElement => {
  const { excerpt, heading, page, url } = found
  const title = make("strong", {}, heading === "" ? page : heading)
  const place = heading === "" ? [] : [make("small", {}, page)]
  const link = make(
    "a",
    { href: new URL(url, base).href },
    title,
    ...place,
    make("span", {}, excerpt),
  )
  return make("li", {}, link)
}

/** Makes the search dialog and its keyboard control. */
const makeDialog = (base: string) => {
  const label = make("label", { className: "hidden", htmlFor: "search-words" }, "Search")
  const input = make("input", {
    id: "search-words",
    type: "search",
    placeholder: "Search the documentation",
    autocomplete: "off",
  })
  const status = make("p", { role: "status" }, "Type to search.")
  const list = make("ul")
  const close = make("button", { type: "submit" }, "Close")
  const head = make("form", { method: "dialog" }, label, input, close)
  const dialog = make("dialog", { className: "searching", ariaLabel: "Search" }, head, status, list)
  const show = (found: ReadonlyArray<Found>) => {
    list.replaceChildren(...found.map((one) => item(one, base)))
    const words = input.value.trim()
    const count = found.length === MOST_SHOWN ? "The best results" : `${found.length} found`
    status.textContent = words === "" ? "Type to search." : count
  }
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
    const links = [...list.querySelectorAll("a")]
    const at = links.findIndex((link) => link === document.activeElement)
    const next = event.key === "ArrowDown" ? at + 1 : at - 1
    event.preventDefault()
    ;(links[next] ?? input).focus()
  })
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return
    event.preventDefault()
    list.querySelector("a")?.click()
  })
  // A result on the current page only scrolls.
  list.addEventListener("click", () => dialog.close())
  document.body.append(dialog)
  return { dialog, input, show, status }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)

/** Opens the search; its index is loaded at the first time. */
export const openSearch = (): void => {
  const button = document.querySelector<HTMLButtonElement>("button[data-search]")
  const path = button?.dataset["search"]
  if (button === null || path === undefined) return
  const url = new URL(path, document.baseURI).href
  const { dialog, input, show, status } = makeDialog(url)
  let index: Promise<MiniSearch<Found>> | undefined
  const search = async () => {
    const words = input.value
    index ??= loadIndex(url)
    const found = findIn(await index, words)
    if (words === input.value) show(found)
  }
  const open = () => {
    if (!dialog.open) dialog.showModal()
    index ??= loadIndex(url)
    index.catch(() => {
      index = undefined
      status.textContent = "The search could not be loaded."
    })
  }
  input.addEventListener("input", () => void search().catch(() => undefined))
  button.addEventListener("click", open)
  document.addEventListener("keydown", (event) => {
    const isShortcut = event.key === "k" && (event.ctrlKey || event.metaKey)
    if (!isShortcut && (event.key !== "/" || isTyping(event.target))) return
    event.preventDefault()
    open()
  })
  button.hidden = false
}
