import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { expect, inject, onTestFinished, test } from "vitest"

/** A test that needs the run's browser; skipped where there is none. */
export const browserTest: ReturnType<typeof test.skipIf> = test.skipIf(inject("browser") === "")

export const THEMES = ["light", "dark"] as const

/** The settings of a page's view. */
export interface View {
  /** In CSS pixels, 1,280 unless said otherwise. Below 600 it is a phone with a touch screen. */
  readonly width?: number
  readonly theme?: (typeof THEMES)[number]
  readonly locale?: string
  /** Whether scripts run; they do unless this is false. */
  readonly scripts?: boolean
  /** Allowed messages of the console, such as for a response that the test provokes. */
  readonly expected?: RegExp
}

let connecting: Promise<Browser> | undefined
const browser = (): Promise<Browser> => (connecting ??= chromium.connect(inject("browser")))

const optionsOf = ({ locale = "en-US", scripts = true, theme = "light", width = 1280 }: View) => {
  const isPhone = width < 600
  const options: BrowserContextOptions = {
    colorScheme: theme,
    deviceScaleFactor: isPhone ? 2 : 1,
    hasTouch: isPhone,
    javaScriptEnabled: scripts,
    locale,
    // Without animations, screenshots are repeatable.
    reducedMotion: "reduce",
    viewport: { width, height: isPhone ? 740 : 800 },
  }
  return options
}

/** Whether a page may request an address: of its own origin, or data inside the page. */
const isOwn = (page: Page, url: string): boolean =>
  /^(data|blob|about):/.test(url) ||
  page.url() === "about:blank" ||
  new URL(url).origin === new URL(page.url()).origin

/**
 * Opens an address in its own profile, which is closed after the test. The test fails if the page
 * breaks, logs an error or a warning (as for every violation of its Content-Security-Policy), or
 * requests another origin.
 */
export const openPage = async (url: string, view: View = {}): Promise<Page> => {
  const context = await (await browser()).newContext(optionsOf(view))
  // Shorter than a test's limit, so that the missing element is named.
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const flaws: Array<string> = []
  const note = (text: string) => view.expected?.test(text) === true || flaws.push(text)
  page.on("pageerror", (error) => note(`broke: ${error.message}`))
  page.on("console", (said) => {
    if (said.type() === "error" || said.type() === "warning") note(`said: ${said.text()}`)
  })
  page.on("request", (request) => {
    if (!isOwn(page, request.url())) note(`asked elsewhere: ${request.url()}`)
  })
  onTestFinished(async () => {
    await context.close()
    expect(flaws).toEqual([])
  })
  await page.goto(url)
  return page
}

/** Fails if the page has to scroll to the right. */
export const expectFitting = async (page: Page): Promise<void> => {
  const past = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  )
  expect(past, `${page.url()} is wider than its window, in pixels`).toBeLessThanOrEqual(0)
}
