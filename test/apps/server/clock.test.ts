import { expect, test } from "vitest"
import { MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { call, openShop, order } from "../../support/shop.ts"
import { startDatabase } from "./database.ts"
import { callerOf, start, startOn, temporaryFolder, until } from "./service.ts"

/** A module that makes a process's clock jump ahead on request. */
const jumping = (milliseconds: number, from = 0) => {
  const program = `
    const right = Date.now
    let ahead = ${from}
    Date.now = () => right() + ahead
    process.on("SIGUSR2", () => { ahead = ${milliseconds} })`
  return { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(program)}"` }
}

test(
  "a process whose clock jumps ends no payment and answers nothing",
  { timeout: 120_000 },
  async () => {
    const folder = await temporaryFolder()
    const settings = { PAYPORT_DATABASE_URL: await startDatabase() }
    const right = await startOn(folder, settings)
    const wrong = await startOn(folder, { ...settings, ...jumping(16 * MINUTE) })
    const shop = await openShop(right, "http://127.0.0.1:9/hooks")
    const { body: payment } = await call(right, "buyer", order(shop, "fifteen minutes to pay"))
    const path = `/v1/payment-intents/${String(payment["id"])}`
    const ask = callerOf(wrong.url, wrong.buyerKey)

    wrong.child.kill("SIGUSR2")
    const ready = () => ask("GET", "/readyz")
    const refusal = await until(ready, ({ status }) => status === 503)
    expect(JSON.stringify(refusal.body)).toMatch(/clock is 1[56] min \d+ s ahead of the database's/)
    expect((await ask("GET", "/healthz")).status).toBe(200)
    expect(await ask("GET", path)).toMatchObject({ status: 503 })
    expect(await call(wrong, "buyer", order(shop, "two"))).toMatchObject({ status: 503 })

    // Its worker has come by, and the gauge shows why it did nothing.
    const metrics = async () => (await fetch(`${wrong.url}/metrics`)).text()
    while (!wrong.stderr().includes("The worker failed and tries again")) await pause()
    while (!/^payport_clock_offset_seconds 9\d\d/m.test(await metrics())) await pause()
    expect((await call(right, "buyer", { method: "GET", path })).body["status"]).toBe(
      "qr_generated",
    )

    const late = start({
      ...settings,
      PAYPORT_DATA_DIR: folder,
      PAYPORT_PORT: "0",
      ...jumping(0, -40 * SECOND),
    })
    expect(await late.ended).toBe(1)
    expect(late.stderr()).toMatch(/payport cannot run: This process's clock is [34]\d s behind/)
  },
)

const pause = () => new Promise((resolve) => setTimeout(resolve, 100))
