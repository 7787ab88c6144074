import { afterAll, beforeAll, expect, test } from "vitest"
import { DAY } from "../../../../core/shared/Timestamp.ts"
import { type App, startApp } from "../../../support/app.ts"

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true })
})
afterAll(() => app.stop())

const OWN = { "x-payport-console": "1", "sec-fetch-site": "same-origin" }

test("each answer tells the page the service's time, which can be moved", async () => {
  const signedIn = await fetch(`${app.url}/console/session`, {
    method: "POST",
    headers: { ...OWN, "content-type": "application/json" },
    body: JSON.stringify({ key: app.seller.api_key.key }),
  })
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? ""
  const list = () =>
    fetch(`${app.url}/console/api/v1/payment-intents`, { headers: { ...OWN, cookie } })
  const aheadOf = ({ headers }: Response) =>
    Math.floor((Date.parse(headers.get("payport-time") ?? "") - Date.now() + DAY / 2) / DAY)

  const before = await list()
  expect([aheadOf(signedIn), before.status, aheadOf(before)]).toEqual([0, 200, 0])
  await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: (3 * DAY) / 1_000 } })
  expect(aheadOf(await list())).toBe(3)
})
