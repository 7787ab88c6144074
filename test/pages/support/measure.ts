import type { CDPSession, Page } from "playwright-core"

/** What a page took to show, in bytes as they came over the network, headers included. */
export interface Weight {
  readonly all: number
  readonly script: number
}

const sessionOf = (page: Page): Promise<CDPSession> => page.context().newCDPSession(page)

/** Makes the page's scripts and its drawing so many times slower. */
export const slowDown = async (page: Page, times: number): Promise<void> => {
  const session = await sessionOf(page)
  await session.send("Emulation.setCPUThrottlingRate", { rate: times })
}

/** Loads an address as for the first time, until nothing more comes, and weighs what came. */
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
