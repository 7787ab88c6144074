import { copyText } from "../shared/copyText.ts"

/**
 * The script of a payer's page: it counts down, follows the payment, and copies links. Without it,
 * the page shows the expiry as a time and reloads itself.
 */

/** How often the page is read again if events are refused, in milliseconds. */
const LOOK_EVERY = 5_000

/**
 * How often it is read again beside open events, in milliseconds: a proxy may hold them back, and a
 * phone that changes its network may not notice that its connection is gone.
 */
const LOOK_BESIDE = 15_000

const payment = () => document.querySelector<HTMLElement>("#payment")

/** Shows elements that need a script, and hides those for pages without one. */
const showScripted = () => {
  for (const part of document.querySelectorAll<HTMLElement>(".scripted")) part.hidden = false
  for (const part of document.querySelectorAll<HTMLElement>(".unscripted")) part.hidden = true
}

const clock = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000))
  const two = (part: number) => String(part).padStart(2, "0")
  const hours = Math.floor(seconds / 3_600)
  const short = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return hours > 0 ? `${hours}:${short}` : short
}

/** When the payment expires, by the clock of `performance.now()`. */
let until: number | undefined

const readCountdown = (page: Document = document) => {
  const left = page.querySelector<HTMLElement>("[data-left]")?.dataset["left"]
  until = left === undefined ? undefined : performance.now() + Number(left)
}

const tick = () => {
  const shown = document.querySelector<HTMLElement>("[data-left]")
  if (shown === null || until === undefined) return
  const left = until - performance.now()
  shown.textContent = clock(left)
  shown.closest("p")?.classList.toggle("soon", left < 60_000)
  if (left > -1_000) return
  until = undefined
  void look()
}

const version = (main: HTMLElement | null): number => Number(main?.dataset["version"] ?? 0)

/** Announces to screen readers what has happened. */
const say = (text: string): void => {
  const said = document.querySelector("#said")
  if (said !== null) said.textContent = text
}

/** Replaces the shown page with its current version, and announces what has changed. */
const show = (html: string): void => {
  const [old, now] = [payment(), new DOMParser().parseFromString(html, "text/html")]
  const next = now.querySelector<HTMLElement>("#payment")
  if (old === null || next === null || version(next) < version(old)) return
  if (version(next) === version(old)) {
    // The browser's clock may have stood still, such as in a phone that slept.
    readCountdown(now)
    return
  }
  const hadFocus = old.contains(document.activeElement)
  old.replaceWith(document.adoptNode(next))
  document.title = now.title
  showScripted()
  readCountdown()
  const title = next.querySelector<HTMLElement>("#step")
  say(title?.textContent ?? "")
  if (hadFocus) title?.focus()
  if (next.dataset["live"] === undefined) stop()
}

const read = async (): Promise<void> => {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } })
  if (answer.ok) show(await answer.text())
}

let looking = false
let again = false

/** Reads the page again, and once more if something changes meanwhile. */
const look = async (): Promise<void> => {
  again = looking
  if (looking) return
  looking = true
  do {
    again = false
    // After a short loss of the network, the next read succeeds.
    await read().catch(() => undefined)
  } while (again)
  looking = false
}

let events: EventSource | undefined
let looks: ReturnType<typeof setInterval> | undefined
let isRefused = false

const lookEvery = (milliseconds: number) => {
  clearInterval(looks)
  // A page that comes to the front is read then.
  looks = setInterval(() => {
    if (!document.hidden) void look()
  }, milliseconds)
}

const stop = () => {
  events?.close()
  clearInterval(looks)
}

/** Follows the payment by events, and by polling, more often if events are refused. */
const follow = () => {
  lookEvery(LOOK_BESIDE)
  events = new EventSource(`${location.pathname}/events`)
  events.addEventListener("payment", ({ data }: MessageEvent<string>) => {
    const told = JSON.parse(data) as { readonly version: number }
    if (told.version > version(payment())) void look()
  })
  events.addEventListener("error", () => {
    // The stream has ended or was cut: its last event may not have been processed.
    void look()
    if (events?.readyState !== EventSource.CLOSED || isRefused) return
    isRefused = true
    lookEvery(LOOK_EVERY)
  })
}

const copy = async (button: HTMLElement, text: string): Promise<void> => {
  if (!(await copyText(text, button))) return
  const copied = button.dataset["copied"] ?? ""
  button.textContent = copied
  say(copied)
}

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>("button") : null
  const text = button?.dataset["copy"]
  if (button !== null && text !== undefined) copy(button, text).catch(() => undefined)
  if (button?.dataset["print"] !== undefined) print()
})

// A person who types an amount wants to pay it.
document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== "amount") return
  const own = target.form?.querySelector<HTMLInputElement>('input[value="open"]')
  if (own != null) own.checked = true
})

// A page from the browser's cache shows an old state.
addEventListener("pageshow", ({ persisted }) => persisted && void look())
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && payment()?.dataset["live"] !== undefined) void look()
})

showScripted()
readCountdown()
setInterval(tick, 1_000)
if (payment()?.dataset["live"] !== undefined) follow()
