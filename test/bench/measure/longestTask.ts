import type { Browser, Page } from "playwright-core"

/** The work of a page's main thread, in milliseconds. */
export interface Work {
  /** The longest task, as its reader waits for it: others of the machine make it longer. */
  readonly longest: number
  /** The processor time of the most expensive task, which does not depend on other load. */
  readonly longestBusy: number
  /** The processor time of all tasks. */
  readonly busy: number
}

/** An event of Chromium's trace; its durations are in microseconds. */
interface Traced {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

const CATEGORIES = ["toplevel", "disabled-by-default-devtools.timeline"]

const millis = (durations: ReadonlyArray<number>): number => Math.max(0, ...durations) / 1_000

const workOf = (events: ReadonlyArray<Traced>): Work => {
  const threadOf = ({ pid, tid }: Traced): string => `${pid}:${tid}`
  const main = new Set(
    events
      .filter(({ args, name }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(threadOf),
  )
  const tasks = events.filter(
    (event) => event.name === "RunTask" && event.ph === "X" && main.has(threadOf(event)),
  )
  const busy = tasks.map(({ tdur = 0 }) => tdur)
  return {
    longest: millis(tasks.map(({ dur = 0 }) => dur)),
    longestBusy: millis(busy),
    busy: busy.reduce((sum, tdur) => sum + tdur, 0) / 1_000,
  }
}

/**
 * Runs `work` and returns the work of the main threads of the browser's pages. Fails if the browser
 * does not report a task's processor time.
 */
export const watched = async (
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<Work> => {
  await browser.startTracing(page, { categories: CATEGORIES })
  await work()
  const trace = await browser.stopTracing()
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: ReadonlyArray<Traced> }
  const found = workOf(traceEvents)
  if (found.busy === 0) throw new Error("The browser's trace says nothing of processor time.")
  return found
}
