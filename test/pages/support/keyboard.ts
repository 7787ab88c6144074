import type { Page } from "playwright-core"
import { expect } from "vitest"

/** The limit of stops, more than any page has. */
const MOST_STOPS = 150

/** Describes the focused element. */
const FOCUSED = `(() => {
  const found = document.activeElement
  if (found === null || found === document.body || found === document.documentElement) return null
  const { bottom, height, left, right, top, width } = found.getBoundingClientRect()
  const [x, y] = [
    (Math.max(left, 0) + Math.min(right, innerWidth)) / 2,
    (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2,
  ]
  const outlined = (element, part) => {
    const { outlineColor, outlineStyle, outlineWidth } = getComputedStyle(element, part)
    return outlineStyle !== "none" && parseFloat(outlineWidth) > 0 && !/, 0\\)$/.test(outlineColor)
  }
  const around = [found, found.parentElement, found.parentElement?.parentElement]
  const isShown = around.some(
    (element) => element && (outlined(element) || outlined(element, "::after")),
  )
  const label = found.closest("label")
  const hit = document.elementFromPoint(x, y)
  const isCovered =
    hit !== null && !found.contains(hit) && !hit.contains(found) && !label?.contains(hit)
  return {
    text: found.outerHTML.slice(0, 200),
    isGiven: found.tabIndex < 0,
    isShown,
    isCovered,
    isOnScreen: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
    hasSize: width > 0 && height > 0,
  }
})()`

interface Focused {
  readonly text: string
  /** No key leads there, only the page itself. */
  readonly isGiven: boolean
  readonly isShown: boolean
  readonly isCovered: boolean
  readonly isOnScreen: boolean
  readonly hasSize: boolean
}

/** Presses Tab, and fails if the focus is not visible afterwards. */
const step = async (page: Page, key: "Tab" | "Shift+Tab"): Promise<boolean> => {
  await page.keyboard.press(key)
  const found = await page.evaluate<Focused | null>(FOCUSED)
  if (found === null) return false
  const { isGiven, text, ...seen } = found
  // The page has just set the focus there, and the next key continues from there.
  if (isGiven) return true
  expect(seen, text).toMatchObject({
    hasSize: true,
    isCovered: false,
    isOnScreen: true,
    isShown: true,
  })
  return true
}

/** Returns a screen reader's text for the focused element: `button "Pay $6.99"`. */
const focused = async (page: Page): Promise<string> => {
  const [first = ""] = (await page.locator(":focus").ariaSnapshot()).split("\n")
  // If a line contains a colon, the whole line is quoted.
  return first.replace(/^- '?/, "").replace(/'?:?$/, "")
}

/**
 * Waits until a screen reader says `wanted` of what has the focus. A page gives the focus after it
 * has drawn what gets it, so that asking once may be too early.
 */
export const hasFocus = async (page: Page, wanted: string | RegExp): Promise<void> => {
  const said = expect.poll(() => focused(page), { timeout: 5_000 })
  if (typeof wanted === "string") await said.toBe(wanted)
  else await said.toMatch(wanted)
}

/**
 * Presses Tab until a screen reader's text for the focused element begins with `wanted`, such as
 * `button "Pay`. Fails at the end of the page, and if the focus is not visible on the way.
 */
export const reach = async (
  page: Page,
  wanted: string,
  key: "Tab" | "Shift+Tab" = "Tab",
): Promise<void> => {
  const passed: Array<string> = []
  // It passes the end of the page once, since the focus may be after the element.
  let ends = 0
  while (passed.length < MOST_STOPS && ends < 2) {
    if (!(await step(page, key))) ends += 1
    else {
      const name = await focused(page)
      if (name.startsWith(wanted)) return
      passed.push(name)
    }
  }
  throw new Error(`No key leads to ${wanted} on ${page.url()}, only to\n${passed.join("\n")}`)
}

/** Reaches something, and presses a key there. */
export const press = async (page: Page, wanted: string, key = "Enter"): Promise<void> => {
  await reach(page, wanted)
  await page.keyboard.press(key)
}

/** Reaches a field, and types in it. */
export const type = async (page: Page, wanted: string, text: string): Promise<void> => {
  await reach(page, wanted)
  await page.keyboard.press("ControlOrMeta+A")
  await page.keyboard.type(text)
}

/**
 * Returns the elements that Tab reaches from the top to the end of the page, in order. Fails if it
 * never reaches the end, if the way back is different, and if the page sets its own order.
 */
export const stops = async (page: Page): Promise<ReadonlyArray<string>> => {
  expect(await page.locator("[tabindex]:not([tabindex='0'], [tabindex='-1'])").count()).toBe(0)
  const found: Array<string> = []
  while (await step(page, "Tab")) {
    found.push(await focused(page))
    expect(found.length, `${page.url()} has no end for Tab`).toBeLessThan(MOST_STOPS)
  }
  const back: Array<string> = []
  while (await step(page, "Shift+Tab")) back.unshift(await focused(page))
  expect(back).toEqual(found)
  return found
}

/** Waits until a live region of the page announces the text to screen readers. */
export const hears = (page: Page, text: RegExp | string): Promise<void> =>
  page
    .locator("output, [role=status], [role=alert], [aria-live]:not([aria-live=off])")
    .filter({ hasText: text })
    .first()
    .waitFor({ state: "attached" })
