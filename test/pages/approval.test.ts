import jsqr from "jsqr"
import type { Page } from "playwright-core"
import sharp from "sharp"
import { expect, inject, onTestFinished } from "vitest"
import { expectAccessible } from "./support/expectAccessible.ts"
import { browserTest, expectFitting, openPage, THEMES, type View } from "./support/openPage.ts"
import { screenshot } from "./support/screenshot.ts"
import { call, openShop, payOnce } from "./support/shop.ts"

/** Has people decide about mandates in the wallet, until the test ends. */
const decideByHand = async () => {
  const faults = "/v1/sandbox/channels/wallet_a/faults"
  await call("buyer", "PUT", faults, { mandates: "manual" })
  onTestFinished(async () => void (await call("buyer", "PUT", faults, { mandates: "automatic" })))
}

/** Opens a view of the console as the demo buyer. */
const open = async (path: string, view: View = {}): Promise<Page> => {
  const { keys, url } = inject("service")
  const page = await openPage(`${url}/console${path}`, view)
  await page.getByLabel("API key").fill(keys.buyer)
  await page.keyboard.press("Enter")
  await page.locator("main#view h1").waitFor()
  return page
}

/** The text of a code as a camera reads it off the screen. */
const read = async (picture: Buffer): Promise<string | undefined> => {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({
    resolveWithObject: true,
  })
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data
}

/** The install of a service that the demo buyer has. */
const installOf = async (service: string) => {
  const { data } = await call("buyer", "GET", "/v1/installs?limit=100")
  const found = (data as ReadonlyArray<Record<string, unknown>>).find(
    ({ service_id }) => service_id === service,
  )
  return found?.["mandate"] as { readonly status: string; readonly approval_url?: string }
}

browserTest("a buyer sees where a person approves a mandate, and that it is approved", async () => {
  await decideByHand()
  const name = "Approved papers"
  const shop = await openShop({ name })
  const page = await open(`/installs/new?service=${shop}`)
  await page.getByLabel("Pays alone, up to").fill("10")
  await page.getByRole("button", { name: "Install", exact: true }).click()
  const approval = page.getByRole("region", { name: `Approval for ${name}` })
  await approval.getByText("Payments of up to 10.00 USD without asking").waitFor()
  const { approval_url } = await installOf(shop)
  const code = approval.getByRole("img", { name: `QR code to approve payments to ${name}` })
  expect(await read(await code.screenshot())).toBe(approval_url)
  const link = approval.getByRole("link", { name: /^Approve/ })
  expect(await link.getAttribute("href")).toBe(approval_url)
  await expectAccessible(page)

  const [wallet] = await Promise.all([page.context().waitForEvent("page"), link.click()])
  await wallet.getByRole("button", { name: "Allow" }).click()
  await wallet.getByRole("heading", { name: "Automatic payments are on" }).waitFor()
  await wallet.close()
  // The console hears of it by itself, and says so.
  await approval.waitFor({ state: "detached" })
  await expect
    .poll(() => page.getByRole("status").allTextContents())
    .toContain("Automatic payments: Active.")
  await page.getByText("Active", { exact: true }).first().waitFor()
  expect((await payOnce(shop)).made).toMatchObject({ status: "completed", auto_paid: true })
})

browserTest("a mandate that its person refuses is shown as ended", async () => {
  await decideByHand()
  const name = "Refused papers"
  const shop = await openShop({ name })
  const auto_pay_limit = { currency: "USD", value: 1000 }
  await call("buyer", "POST", `/v1/services/${shop}/installs`, { auto_pay_limit })
  const page = await open("/installs", { width: 360 })
  const approval = page.getByRole("region", { name: `Approval for ${name}` })
  const { approval_url = "" } = await installOf(shop)
  await approval.getByRole("link", { name: /^Approve/ }).waitFor()
  const wallet = await openPage(approval_url, { width: 360 })
  await wallet.getByRole("button", { name: "Refuse" }).click()
  await wallet.getByRole("heading", { name: "Automatic payments are off" }).waitFor()
  await approval.waitFor({ state: "detached" })
  expect((await payOnce(shop)).made).toMatchObject({ status: "pending" })
})

const views = THEMES.flatMap((theme) => [360, 1280].map((width) => ({ theme, width })))

browserTest.each(views)("an approval is readable, $theme and $width wide", async (view) => {
  await decideByHand()
  const shop = await openShop({ name: `Readable papers ${view.theme} ${view.width}` })
  const auto_pay_limit = { currency: "USD", value: 1000 }
  await call("buyer", "POST", `/v1/services/${shop}/installs`, { auto_pay_limit })
  const page = await open("/installs", view)
  await page
    .getByRole("region", { name: /^Approval for/ })
    .first()
    .waitFor()
  await expectAccessible(page)
  await expectFitting(page)
  await screenshot(page, `console-approval-${view.theme}-${view.width}`)
})
