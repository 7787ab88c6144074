import { expect, inject } from "vitest"
import { expectAccessible } from "./support/expectAccessible.ts"
import { browserTest, expectFitting, openPage, THEMES } from "./support/openPage.ts"
import { screenshot } from "./support/screenshot.ts"

browserTest.each(THEMES)(
  "the printed link of npm start leads through a payment to its end, in the %s theme",
  async (theme) => {
    const page = await openPage(`${inject("service").url}/sandbox/demo`, {
      theme,
      width: 360,
      // On the first visit, the console asks the visitor to sign in.
      expected: /status of 401/,
    })
    const press = (name: string) => page.getByRole("button", { name }).click()
    const inspect = async (name: string) => {
      await expectAccessible(page)
      await expectFitting(page)
      await screenshot(page, `demo-${name}-${theme}`)
    }
    await inspect("offer")
    await press("Pay $6.99")
    await page.getByRole("link", { name: "Pay with the sandbox wallet" }).click()
    await press("Pay $6.99")
    await page.getByRole("link", { name: "Back to the payment's page" }).click()
    await page.getByRole("heading", { name: "What comes next" }).waitFor()
    await inspect("approved")
    await press("Deliver, as the seller")
    await page.getByRole("heading", { name: "What has happened" }).waitFor()
    await inspect("paid")
    await page.getByRole("link", { name: "See it as the seller" }).click()
    await page.getByLabel("API key").fill(inject("service").keys.seller)
    await press("Sign in")
    await page.getByRole("heading", { name: "Timeline" }).waitFor()
    expect(await page.getByText("Captured").count()).toBeGreaterThan(0)
  },
)
