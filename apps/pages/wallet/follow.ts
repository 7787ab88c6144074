/** How often the page is polled, in milliseconds: with events, and without them. */
const [LOOK_BEHIND, LOOK_EVERY] = [5_000, 1_000]

/** Formats the remaining time as `14:05`. */
const countdown = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

const mainOf = (page: Document): HTMLElement | null => page.querySelector("main")

/**
 * The service's time minus `performance.now()`. The sandbox's clock may be ahead, and the browser's
 * may be wrong.
 */
let ahead: number | undefined

/** Reads the service's time from a page that has just arrived. */
const readClock = (page: Document): void => {
  const now = Number(mainOf(page)?.dataset["now"])
  if (now > 0) ahead = now - performance.now()
}

/** Shows the remaining time instead of the expiry. */
const countDown = (): void => {
  if (ahead === undefined) return
  for (const place of document.querySelectorAll<HTMLTimeElement>("time[data-left]")) {
    const left = countdown(Date.parse(place.dateTime) - ahead - performance.now())
    place.textContent = place.dataset["left"]?.replace("*", left) ?? left
  }
}

/** Shows the current page, and announces its news to screen readers. */
const show = (next: Document): void => {
  const [before, after] = [mainOf(document), mainOf(next)]
  if (before === null || after === null) return
  const hadFocus = before.contains(document.activeElement)
  before.replaceWith(after)
  document.title = next.title
  const title = after.querySelector<HTMLElement>("[data-say]")
  const said = document.querySelector("#said")
  if (said !== null) said.textContent = title?.textContent ?? ""
  // The focused element may be gone.
  if (hadFocus) (title ?? after.querySelector("h1"))?.focus()
  countDown()
}

/** Reads the page again whenever it may have changed, until its payment can no longer change. */
export const follow = (): void => {
  const main = mainOf(document)
  if (main?.dataset["live"] === undefined) return
  const address = main.dataset["events"]
  const events = address === undefined ? undefined : new EventSource(address)
  let last = main.innerHTML
  readClock(document)
  countDown()
  const clock = setInterval(countDown, 1_000)

  const look = async (): Promise<void> => {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } })
    if (!answer.ok) return
    const next = new DOMParser().parseFromString(await answer.text(), "text/html")
    readClock(next)
    const found = mainOf(next)?.innerHTML ?? last
    if (found === last) return
    last = found
    show(next)
    if (mainOf(document)?.dataset["live"] !== undefined) return
    clearInterval(clock)
    clearInterval(looks)
    events?.close()
  }

  const lookQuietly = () => void look().catch(() => undefined)
  const looks = setInterval(lookQuietly, events === undefined ? LOOK_EVERY : LOOK_BEHIND)
  events?.addEventListener("payment", lookQuietly)
}
