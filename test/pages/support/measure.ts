import type { CDPSession, Page } from "playwright-core"

/** The bytes of a page's load, as sent over the network with headers. */
export interface Weight {
  readonly all: number
  readonly script: number
}

const sessionOf = (page: Page): Promise<CDPSession> => page.context().newCDPSession(page)

/** Slows down the page's scripts and its drawing by this factor. */
export const slowDown = async (page: Page, times: number): Promise<void> => {
  const session = await sessionOf(page)
  await session.send("Emulation.setCPUThrottlingRate", { rate: times })
}

/**
 * Loads an address with an empty cache until nothing more arrives, and returns the received bytes.
 */
export const weigh = async (page: Page, url: string): Promise<Weight> => {
  const session = await sessionOf(page)
  const types = new Map<string, string>()
  let all = 0
  let script = 0
  session.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type))
  session.on("Network.loadingFinished", ({ encodedDataLength, requestId }) => {
    all += encodedDataLength
    if (types.get(requestId) === "Script") script += encodedDataLength
  })
  await session.send("Network.enable")
  await session.send("Network.setCacheDisabled", { cacheDisabled: true })
  await page.goto(url, { waitUntil: "load" })
  await session.detach()
  return { all, script }
}
