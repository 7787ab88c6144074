import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, inject } from "vitest"
import { activeService, ADMIN_KEY, authorizedPayment, enlarge } from "../support/app.ts"
import { openSite, type SiteApp } from "../support/site.ts"
import { hasFocus, hears, press, reach, stops, type } from "./support/keyboard.ts"
import { browserTest, openPage, type View } from "./support/openPage.ts"
import { call, capture, openShop, requestPayment } from "./support/shop.ts"

/*
 * Nothing here is clicked, filled or focused: what a test does, it does by keys.
 */

let app: SiteApp
beforeAll(async () => {
  app = await openSite()
  await enlarge(app, app.seller.id)
})
afterAll(() => app.stop())

describe("a payer by keys", () => {
  browserTest("chooses a channel, opens the wallet and approves", async () => {
    const { id } = await requestPayment(await openShop({ default_channel: null }))
    const page = await openPage(`${inject("service").url}/pay/${id}`)
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    expect(await stops(page)).toEqual([
      'link "Skip to the payment"',
      'button "Pay with Wallet A"',
      'button "Pay with Wallet B"',
      'link "English"',
      'link "中文"',
    ])
    await press(page, 'button "Pay with Wallet B"')
    await page.getByRole("heading", { name: "Scan with Wallet B" }).waitFor()
    await press(page, 'button "Copy', "Space")
    await hears(page, "Copied")
    await press(page, 'link "Pay with the sandbox wallet"')
    await page.waitForURL("**/sandbox/wallet/pay/**")
    await page.getByRole("button", { name: "Pay $6.99" }).waitFor()
    await press(page, 'button "Pay $6.99"')
    await page.getByRole("heading", { name: "Approved" }).waitFor()
    expect(await stops(page)).toEqual([
      'link "Skip to the content"',
      'link "Wallet"',
      'link "中文"',
      'link "Back to the payment\'s page"',
    ])
    await reach(page, 'link "Back to')
    await capture(id)
    await hears(page, "Paid")
    await hasFocus(page, 'heading "Paid" [level=1]')
  })

  browserTest("hears what becomes of a payment, and keeps the place", async () => {
    const { id } = await requestPayment(await openShop())
    const page = await openPage(`${inject("service").url}/pay/${id}`, { width: 360 })
    await reach(page, 'link "Pay with the sandbox wallet"')
    const path = `/v1/sandbox/payment-intents/${id}/simulate`
    await call("buyer", "POST", path, { action: "scan" })
    await hears(page, "Confirm in your wallet")
    await hasFocus(page, 'heading "Confirm in your wallet" [level=2]')
    await call("buyer", "POST", path, { action: "reject" })
    await hears(page, "You declined")
    await hasFocus(page, 'heading "You declined" [level=2]')
  })

  browserTest("picks a price of a printed code, or types an amount", async () => {
    const one_time = [
      { amount: 699, currency: "USD", label: "7 days" },
      { amount: 1_999, currency: "USD", label: "30 days" },
    ]
    const open_amount = { currency: "USD", minimum: 100, maximum: 5_000 }
    const shop = await openShop({ qr_mode: "static", pricing: { one_time, open_amount } })
    const page = await openPage(`${inject("service").url}/pay/s/${shop}`)
    await reach(page, 'radio "7 days')
    await page.keyboard.press("ArrowDown")
    await hasFocus(page, /^radio "30 days.*\[checked\]/)
    await press(page, 'button "Continue"')
    await page.getByRole("heading", { name: /19\.99/ }).waitFor()
    const own = await openPage(`${inject("service").url}/pay/s/${shop}`, { width: 320 })
    await type(own, 'textbox "Amount in USD"', "12.50")
    await own.keyboard.press("Enter")
    await own.getByRole("heading", { name: /12\.50/ }).waitFor()
  })

  browserTest("pastes a link in the wallet, after one that is none", async () => {
    const { qr_data } = await requestPayment(await openShop())
    const page = await openPage(`${inject("service").url}/sandbox/wallet`, { expected: /422/ })
    expect(await stops(page)).toEqual([
      expect.stringMatching(/^link "Skip/),
      'link "中文"',
      'button "Scan with the camera"',
      expect.stringMatching(/^button ".*picture/),
      expect.stringMatching(/^textbox "Link of the code"/),
      'button "Open"',
    ])
    await type(page, 'textbox "Link of the code"', "what is this")
    await press(page, 'button "Open"', "Space")
    await hears(page, "This is no link of a payment here")
    await type(page, 'textbox "Link of the code"', qr_data)
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Reject" }).waitFor()
    await press(page, 'button "Reject"', "Space")
    await page.getByRole("heading", { name: "Rejected" }).waitFor()
    await press(page, 'link "Scan another code"')
    await page.getByRole("heading", { name: "Scan to pay" }).waitFor()
  })
})

/** Opens a view of the console with the keyboard only. */
const enter = async (key: string, path: string, view: View = {}): Promise<Page> => {
  const page = await openPage(`${app.url}/console${path}`, view)
  // The field has the focus already.
  await page.getByLabel("API key").waitFor()
  await hasFocus(page, /^textbox "API key"/)
  await page.keyboard.type(key)
  await page.keyboard.press("Enter")
  await page.locator("main#view h1").waitFor()
  // Keys that are pressed before the view gets the focus would go to what had it.
  await hasFocus(page, /^main "/)
  return page
}

describe("who signs in by keys", () => {
  browserTest("hears of a wrong key, and comes in with the right one", async () => {
    const page = await enter(app.seller.api_key.key, "", { expected: /status of 401/ })
    await hasFocus(page, 'main "Payments"')
    await press(page, 'button "Sign out"', "Space")
    await hears(page, "You have signed out.")
    await type(page, 'textbox "API key"', "sk_test_wrong")
    await press(page, 'button "Sign in"', "Space")
    await hears(page, "unknown, was revoked or has expired")
    await type(page, 'textbox "API key"', app.seller.api_key.key)
    await page.keyboard.press("Enter")
    await page.locator("main#view h1").waitFor()
  })

  browserTest("opens the menu of a phone, and is where it leads", async () => {
    const page = await enter(app.seller.api_key.key, "", { width: 360 })
    await press(page, 'button "Menu"', "Space")
    await press(page, 'link "Balance"')
    await page.getByRole("heading", { name: "Balance", level: 1 }).waitFor()
    await hasFocus(page, 'main "Balance"')
    await reach(page, 'button "Menu"')
    await page.keyboard.press("Shift+Tab")
    await hasFocus(page, 'link "Skip to the view"')
    await page.keyboard.press("Enter")
    await hasFocus(page, 'main "Balance"')
  })
})

/** Whether something has the focus that a window covers; the browser's own buttons may have it. */
const IS_BEHIND = `document.activeElement !== document.body &&
  document.activeElement.closest("dialog") === null`

describe("a seller by keys", () => {
  browserTest("finds a payment in the table, and refunds a part of it", async () => {
    const service = await activeService(app, { name: "Reached papers" })
    for (const value of [801, 650]) {
      const id = await authorizedPayment(app, service, value)
      await app.call("POST", `/v1/payment-intents/${id}/capture`)
      await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 5 } })
    }
    const page = await enter(app.seller.api_key.key, "/payments")
    await type(page, 'searchbox "Search payments"', "8.01")
    await reach(page, 'link "8.01 USD')
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: /8\.01 USD/ }).waitFor()
    await hasFocus(page, 'main "Payments"')

    await press(page, 'button "Refund"', "Space")
    await type(page, 'textbox "Amount in USD"', "2")
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await hasFocus(page, 'button "Refund"')
    await page.keyboard.press("Enter")
    await press(page, 'button "Not now"', "Space")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await hasFocus(page, 'button "Refund"')
    await page.keyboard.press("Enter")
    await type(page, 'textbox "Amount in USD"', "2")
    await type(page, 'textbox "Reason"', "Late")
    await press(page, 'button "Refund 2.00 USD"', "Space")
    await hears(page, "Refund 2.00 USD: done.")
    await page.getByText(/^Refund of 2.00 USD\s*Pending$/).waitFor()
  })

  browserTest("stays in a window until it is closed", async () => {
    const page = await enter(app.seller.api_key.key, "/keys")
    await press(page, 'button "New key"', "Space")
    const dialog = page.getByRole("dialog")
    await dialog.waitFor()
    for (let tabs = 0; tabs < 12; tabs += 1) {
      await page.keyboard.press("Tab")
      expect(await page.evaluate(IS_BEHIND)).toBe(false)
    }
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await hasFocus(page, /^button "New key"/)
  })

  browserTest("registers a service, and hears what is wrong with it first", async () => {
    const page = await enter(app.seller.api_key.key, "/services/new")
    await press(page, 'button "Register the service"')
    await hears(page, "6 fields to look at again.")
    // The first field that is wrong has the focus.
    await hasFocus(page, /^textbox "Name"/)
    await page.keyboard.type("By keys alone")
    await type(page, 'textbox "Description"', "Typed by keys.")
    await type(page, 'textbox "What is paid for"', "One")
    await type(page, 'textbox "Amount"', "1.00")
    await press(page, 'checkbox "Wallet A"', "Space")
    await type(page, 'textbox "Webhook address"', "https://keys.example/hook")
    await press(page, 'button "Register the service"', "Space")
    await hears(page, "Register the service: done.")
    await page.getByRole("heading", { name: "By keys alone" }).waitFor()
    await press(page, 'button "Activate')
    await press(page, 'button "Activate"')
    await hears(page, "Activate: done.")
  })
})

browserTest("a buyer installs a service by keys, and removes it", async () => {
  const name = "Installed by keys"
  await activeService(app, { name })
  const page = await enter(app.buyer.api_key.key, "/installs")
  await press(page, 'button "Install a service"')
  await type(page, 'searchbox "Search services"', name)
  await press(page, `link "${name}`)
  await type(page, 'textbox "Pays alone, up to"', "5")
  await press(page, 'button "Install"', "Space")
  await hears(page, "Install: done.")
  await hasFocus(page, 'main "Installs"')
  await press(page, `button "Remove ${name}"`)
  await press(page, 'button "Remove"', "Space")
  await hears(page, "Remove: done.")
})

browserTest("the simulated world is played, stepped and read by keys", async () => {
  const page = await enter(ADMIN_KEY, "/world", { expected: /401 \(Unauthorized\)/ })
  await reach(page, 'combobox "Scenario"')
  await page.keyboard.type("callback storm")
  await type(page, 'spinbutton "Seed"', "5")
  await type(page, 'spinbutton "Payments"', "8")
  await page.keyboard.press("Enter")
  await page.locator(".clock").waitFor()
  await press(page, 'button "Next fault"', "Space")
  await hears(page, "Stands still at:")
  await press(page, 'button "Open its story"')
  // The story is drawn a moment after its button is pressed.
  await hasFocus(page, /^heading /)
  await press(page, 'button "Close the story"', "Space")
  await hasFocus(page, /^button ".*\[pressed\]|^button "/)
  await press(page, 'button "Step"', "Space")
  await press(page, 'button "To the end"')
  await hears(page, "Every invariant held.")
})
