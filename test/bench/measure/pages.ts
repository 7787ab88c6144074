import { type Browser, chromium, type Page } from "playwright-core"
import { median } from "../../../apps/bench/statistics.ts"
import { startBrowser } from "../../pages/support/browser.ts"
import { slowDown, weigh } from "../../pages/support/measure.ts"
import { type Bench, type Running, withService } from "../Bench.ts"
import { watched, type Work } from "./longestTask.ts"

/** A measurement of a page, and its limit. */
export interface PageMeasure {
  readonly name: string
  readonly value: number
  readonly target: number
  readonly met: boolean
}

const ROUNDS = 5

/** How many times slower a payer's phone is than this machine. */
const PHONE = 4

/** Rows of the long table. */
const PAYMENTS = 100_000

/** Rows of one page: more than the API returns, since the table is measured. */
const AT_ONCE = 2_500

const row = (name: string, value: number, target: number): PageMeasure => ({
  name,
  value,
  target,
  met: value <= target,
})

/** Opens a page in a new profile with an empty cache. */
const withPage = async <A>(browser: Browser, use: (page: Page) => Promise<A>): Promise<A> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    return await use(await context.newPage())
  } finally {
    await context.close()
  }
}

/** The time when the page was drawn and its scripts had run, in milliseconds after the request. */
const USABLE = `new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => {
  const [paint] = performance.getEntriesByName("first-contentful-paint")
  const [load] = performance.getEntriesByType("navigation")
  resolve(Math.max(paint?.startTime ?? Infinity, load.loadEventEnd))
})))`

const repeatedly = async <A>(work: () => Promise<A>): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for (let round = 0; round < ROUNDS; round++) found.push(await work())
  return found
}

const repeated = async (work: () => Promise<number>): Promise<number> =>
  median(await repeatedly(work))

/** The processor time that a page's main thread takes until it is shown, in milliseconds. */
const busyOf = (
  browser: Browser,
  show: (page: Page) => Promise<unknown>,
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<number> =>
  repeated(() =>
    withPage(browser, async (page) => {
      await prepare(page)
      return (await watched(browser, page, () => show(page))).busy
    }),
  )

const measurePayment = async (browser: Browser, { service, shop }: Running) => {
  const url = `${service.url}/pay/${shop.intentId}`
  const { all } = await withPage(browser, (page) => weigh(page, url))
  const usable = await repeated(() =>
    withPage(browser, async (page) => {
      await slowDown(page, PHONE)
      await page.goto(url)
      return Number(await page.evaluate(USABLE))
    }),
  )
  const busy = await busyOf(browser, (page) => page.goto(url))
  return [
    row("payment page, first load, KB", all / 1024, 50),
    row(`payment page, usable with a processor ${PHONE} times slower, s`, usable / 1000, 1),
    row(`payment page, processor time until then, ${PHONE} times, s`, (PHONE * busy) / 1000, 1),
  ]
}

const signIn = async (page: Page, { service }: Running): Promise<void> => {
  await page.goto(`${service.url}/console`)
  await page.getByLabel("API key").fill(service.sellerKey)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("navigation").first().waitFor()
}

const list = (page: Page) => page.getByRole("table", { name: "Payments" })

const measureConsole = async (browser: Browser, running: Running) => {
  const url = `${running.service.url}/console/payments`
  const { script } = await withPage(browser, (page) => weigh(page, url))
  const show = async (page: Page): Promise<void> => {
    await page.goto(url)
    await list(page).getByRole("row").nth(1).waitFor()
  }
  const view = await repeated(() =>
    withPage(browser, async (page) => {
      await signIn(page, running)
      await show(page)
      return Number(await page.evaluate("performance.now()"))
    }),
  )
  const busy = await busyOf(browser, show, (page) => signIn(page, running))
  return [
    row("console, script of the first load, KB", script / 1024, 250),
    row("console, first view, s", view / 1000, 2),
    row("console, processor time until the first view, s", busy / 1000, 2),
  ]
}

/** How long the page was too busy to draw while something was done, with the processor's part. */
const pausesIn = async (
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<Pick<Work, "longest" | "longestBusy">> => {
  const found = await repeatedly(() => watched(browser, page, work))
  return {
    longest: median(found.map(({ longest }) => longest)),
    longestBusy: median(found.map(({ longestBusy }) => longestBusy)),
  }
}

/** Answers the console's questions for payments with many, made of one. */
const giveMany = async (page: Page): Promise<void> => {
  let model: object | undefined
  await page.route("**/console/api/v1/payment-intents?*", async (route) => {
    if (model === undefined) {
      const answer = await route.fetch()
      model = ((await answer.json()) as { readonly data: ReadonlyArray<object> }).data[0]
    }
    const after = new URL(route.request().url()).searchParams.get("starting_after")
    const from = after === null ? 0 : Number(after.slice(-12)) + 1
    const data = Array.from({ length: AT_ONCE }, (_, n) => ({
      ...model,
      id: `pi_01997d3e-8a00-7000-9000-${String(from + n).padStart(12, "0")}`,
      description: `Summary ${from + n}`,
    }))
    await route.fulfill({ json: { data, has_more: from + AT_ONCE < PAYMENTS } })
  })
}

const TO_END = `for (const part of document.querySelectorAll(".list-frame")) {
  part.scrollTop = part.scrollHeight
}`

const THROUGH = `(async () => {
  const [part] = document.querySelectorAll(".list-frame")
  for (let step = 0; step < 60; step += 1) {
    part.scrollTop = part.scrollHeight * (step / 60)
    await new Promise(requestAnimationFrame)
  }
})()`

const measureTable = (browser: Browser, running: Running) =>
  withPage(browser, async (page) => {
    await giveMany(page)
    await signIn(page, running)
    await page.goto(`${running.service.url}/console/payments`)
    await list(page).getByRole("row").nth(1).waitFor()
    for (let loaded = AT_ONCE; loaded <= PAYMENTS; loaded += AT_ONCE) {
      await page.getByText(`${loaded.toLocaleString("en-US")} payments`).waitFor()
      await page.evaluate(TO_END)
    }
    const scrolling = await pausesIn(browser, page, () => page.evaluate(THROUGH))
    const filtering = await pausesIn(browser, page, async () => {
      await page.getByRole("searchbox").fill("summary 77777")
      await page.getByText("Summary 77777", { exact: true }).waitFor()
      await page.getByRole("searchbox").fill("")
      await page.getByText("Summary 0", { exact: true }).waitFor()
    })
    const many = `${PAYMENTS.toLocaleString("en-US")} payments`
    return [
      row(`console, longest pause scrolling ${many}, ms`, scrolling.longest, 100),
      row("console, most processor time in one task scrolling, ms", scrolling.longestBusy, 100),
      row(`console, longest pause filtering ${many}, ms`, filtering.longest, 100),
      row("console, most processor time in one task filtering, ms", filtering.longestBusy, 100),
    ]
  })

/** Measures the size of the pages, and how soon and how smoothly they can be used. */
export const measurePages = (bench: Bench): Promise<ReadonlyArray<PageMeasure>> =>
  withService(bench, "bench_pages", async (running) => {
    const server = await startBrowser()
    try {
      const browser = await chromium.connect(server.wsEndpoint())
      const step = bench.progress.step.bind(bench.progress)
      return [
        ...(await step("pages: payment", 10, () => measurePayment(browser, running))),
        ...(await step("pages: console", 15, () => measureConsole(browser, running))),
        ...(await step("pages: a long table", 40, () => measureTable(browser, running))),
      ]
    } finally {
      await server.close()
    }
  })
