import type { Page } from "playwright-core"
import QRCode from "qrcode"
import { describe, expect, inject, onTestFinished } from "vitest"
import { expectAccessible } from "./support/expectAccessible.ts"
import { browserTest, expectFitting, openPage, THEMES, type View } from "./support/openPage.ts"
import { screenshot } from "./support/screenshot.ts"
import { call, capture, look, openShop, payOnce, requestPayment } from "./support/shop.ts"

const WIDTHS = [320, 768, 1280]

const openWallet = (view: View = {}, path = "") =>
  openPage(`${inject("service").url}/sandbox/wallet${path}`, view)

/** Pastes a link, and opens it. */
const paste = async (page: Page, link: string) => {
  await page.getByLabel("Link of the code").fill(link)
  await page.getByRole("button", { name: "Open" }).click()
}

const press = (page: Page, name: string) => page.getByRole("button", { name }).click()

const heading = (page: Page, name: string) => page.getByRole("heading", { name }).waitFor()

/** A picture of a code, as a printer makes it. */
const printed = async (text: string, width = 400) => ({
  name: "code.png",
  mimeType: "image/png",
  buffer: await QRCode.toBuffer(text, { width }),
})

/** Checks the page's accessibility and width, and takes a screenshot. */
const inspect = async (page: Page, name: string) => {
  await expectAccessible(page)
  await expectFitting(page)
  await screenshot(page, name)
}

describe("the wallet", () => {
  const views = THEMES.flatMap((theme) => WIDTHS.map((width) => ({ theme, width })))

  browserTest.each(views)("pays a code, $theme and $width wide", async (view) => {
    const name = `${view.theme}-${view.width}`
    const { id, qr_data } = await requestPayment(await openShop())
    const page = await openWallet(view)
    await inspect(page, `wallet-${name}`)
    await paste(page, qr_data)
    await page.getByRole("button", { name: "Pay $6.99" }).waitFor()
    expect(await look(id)).toMatchObject({ status: "scanning" })
    await inspect(page, `wallet-ask-${name}`)
    await press(page, "Pay $6.99")
    await heading(page, "Approved")
    await inspect(page, `wallet-approved-${name}`)
    await capture(id)
    await heading(page, "Paid")
    expect(await look(id)).toMatchObject({ status: "succeeded", channel: "wallet_a" })
    await inspect(page, `wallet-paid-${name}`)
  })

  browserTest("counts down by the service's time, whatever the browser's clock says", async () => {
    const { id } = await requestPayment(await openShop())
    const page = await openWallet({}, `/pay/${id}?channel=wallet_a`)
    await page.addInitScript(() => {
      const right = Date.now
      Date.now = () => right() + 3_600_000
    })
    await page.reload()
    const left = page.locator("time[data-left]")
    await left.filter({ hasText: /^1[45]:\d\d left$/ }).waitFor()
  })

  /** From the page of a printed code to the end, by way of the payment that is made there. */
  const payPrinted = async (page: Page) => {
    await press(page, "Pay $6.99")
    await page.getByRole("link", { name: "Pay with the sandbox wallet" }).click()
    await page.waitForURL("**/sandbox/wallet/pay/**")
    const { pathname } = new URL(page.url())
    const id = pathname.slice(pathname.lastIndexOf("/") + 1)
    await press(page, "Pay $6.99")
    await heading(page, "Approved")
    await capture(id)
    await heading(page, "Paid")
    expect((await look(id, "seller"))["status"]).toBe("succeeded")
  }

  browserTest.each(views)("pays a printed code, $theme and $width wide", async (view) => {
    const shop = await openShop({ qr_mode: "static" })
    const { qr_data } = await call("seller", "GET", `/v1/services/${shop}/qr`)
    const page = await openWallet(view)
    await page.locator("input[type=file]").setInputFiles(await printed(String(qr_data), 900))
    await payPrinted(page)
  })

  browserTest("pays what is printed to be hung up", async () => {
    const shop = await openShop({ qr_mode: "static" })
    const paper = await openPage(`${inject("service").url}/pay/s/${shop}/code`)
    const buffer = await paper.screenshot()
    const page = await openWallet({ width: 360 })
    const photo = { name: "photo.png", mimeType: "image/png", buffer }
    await page.locator("input[type=file]").setInputFiles(photo)
    await payPrinted(page)
  })

  browserTest("pays what its camera sees", async () => {
    const page = await openWallet({ width: 360 })
    await press(page, "Scan with the camera")
    await page.getByRole("heading", { name: "Filmed papers" }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/pay/s/${inject("filmed")}`)
    await payPrinted(page)
  })

  browserTest("reads a code off a picture", async () => {
    const { id, qr_data } = await requestPayment(await openShop())
    const page = await openWallet({ width: 360 })
    const nothing = { name: "none.png", mimeType: "image/png", buffer: Buffer.from("no picture") }
    await page.locator("input[type=file]").setInputFiles(nothing)
    await page.getByText("No code was found in the picture").waitFor()
    await page.locator("input[type=file]").setInputFiles(await printed(qr_data))
    await press(page, "Pay $6.99")
    await heading(page, "Approved")
    expect(await look(id)).toMatchObject({ status: "authorized" })
  })

  browserTest.each([
    ["Reject", "Rejected", "PAYMENT_REJECTED"],
    ["Not enough money", "Not enough money", "INSUFFICIENT_BALANCE"],
  ])("can %s", async (button, title, failure_code) => {
    const { id, qr_data } = await requestPayment(await openShop())
    const page = await openWallet({ width: 360 })
    await paste(page, qr_data)
    await press(page, button)
    await heading(page, title)
    expect(await look(id)).toMatchObject({ status: "failed", failure_code })
    await inspect(page, `wallet-${failure_code}`)
    await page.getByRole("link", { name: "Scan another code" }).click()
    await heading(page, "Scan to pay")
  })

  browserTest("sees a payment end while it is looked at", async () => {
    const { id, qr_data } = await requestPayment(await openShop())
    const page = await openWallet({ width: 360, theme: "dark" })
    await paste(page, qr_data)
    await call("seller", "POST", `/v1/payment-intents/${id}/cancel`)
    await heading(page, "Cancelled")
    await inspect(page, "wallet-cancelled")
  })

  browserTest("lets its payer choose among channels", async () => {
    const { id, made } = await requestPayment(await openShop({ default_channel: null }))
    expect(made["channels"]).toHaveLength(2)
    const page = await openWallet({ width: 360 }, `?code=${encodeURIComponent(`svc://pay/${id}`)}`)
    await inspect(page, "wallet-choose")
    await page.getByRole("link", { name: "Wallet B" }).click()
    await press(page, "Pay $6.99")
    await heading(page, "Approved")
    expect(await look(id)).toMatchObject({ status: "authorized", channel: "wallet_b" })
  })

  browserTest("works without scripts, to the end", async () => {
    const { id, qr_data } = await requestPayment(await openShop())
    const page = await openWallet({ width: 360, scripts: false, expected: /422/ })
    await expectFitting(page)
    await screenshot(page, "wallet-without-scripts")
    await paste(page, "what is this")
    await page.getByText("This is no link of a payment here").waitFor()
    await paste(page, qr_data)
    await press(page, "Pay $6.99")
    await heading(page, "Approved")
    await capture(id)
    await heading(page, "Paid")
  })

  browserTest("works by keyboard", async () => {
    const { id, qr_data } = await requestPayment(await openShop())
    const page = await openWallet()
    await page.getByLabel("Link of the code").focus()
    await page.keyboard.type(qr_data)
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Pay $6.99" }).waitFor()
    const focused = "document.activeElement.textContent"
    for (let tabs = 0; tabs < 9 && (await page.evaluate(focused)) !== "Pay $6.99"; tabs += 1) {
      await page.keyboard.press("Tab")
    }
    await page.keyboard.press("Enter")
    await heading(page, "Approved")
    expect(await look(id)).toMatchObject({ status: "authorized" })
  })

  browserTest("speaks Chinese", async () => {
    const { qr_data } = await requestPayment(await openShop())
    const page = await openWallet({ width: 360, locale: "zh-CN" })
    await page.getByLabel("付款码链接").fill(qr_data)
    await press(page, "打开")
    await page.getByRole("button", { name: "支付 US$6.99" }).waitFor()
    await page.getByRole("link", { name: "English" }).click()
    await page.getByRole("button", { name: "Pay $6.99" }).waitFor()
  })
})

describe("a person in the wallet", () => {
  /** A mandate that waits for the person, of an install of a new service. */
  const pending = async () => {
    const faults = "/v1/sandbox/channels/wallet_a/faults"
    await call("buyer", "PUT", faults, { mandates: "manual" })
    onTestFinished(async () => void (await call("buyer", "PUT", faults, { mandates: "automatic" })))
    const shop = await openShop()
    const auto_pay_limit = { currency: "USD", value: 1000 }
    const path = `/v1/services/${shop}/installs`
    const { mandate } = await call("buyer", "POST", path, { auto_pay_limit })
    const { approval_url } = mandate as { readonly approval_url: string }
    return { shop, approval_url }
  }

  browserTest("allows automatic payments, which are debited then, and ends them", async () => {
    const { approval_url, shop } = await pending()
    const page = await openWallet({ width: 360 })
    await paste(page, approval_url)
    await inspect(page, "wallet-mandate")
    await press(page, "Allow")
    await heading(page, "Automatic payments are on")
    await inspect(page, "wallet-mandate-active")
    expect((await payOnce(shop)).made).toMatchObject({ status: "completed", auto_paid: true })
    await press(page, "End automatic payments")
    await heading(page, "Automatic payments are off")
    await inspect(page, "wallet-mandate-revoked")
    expect((await payOnce(shop)).made).toMatchObject({ status: "pending" })
  })

  browserTest("refuses them, and pays by link instead", async () => {
    const { approval_url, shop } = await pending()
    const page = await openPage(approval_url, { width: 360, theme: "dark" })
    await press(page, "Refuse")
    await heading(page, "Automatic payments are off")
    const { deeplink, id } = await payOnce(shop)
    await page.getByRole("link", { name: "Scan another code" }).click()
    await paste(page, deeplink)
    await press(page, "Pay $6.99")
    await heading(page, "Paid")
    expect(await look(id)).toMatchObject({ status: "completed" })
  })
})
