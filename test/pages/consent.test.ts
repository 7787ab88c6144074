import { afterAll, beforeAll, expect } from "vitest"
import { limits, openProgram, REDIRECT } from "../adapters/oauth/Program.ts"
import { callTool, enlarge } from "../support/app.ts"
import { openSite, type SiteApp } from "../support/site.ts"
import { expectAccessible } from "./support/expectAccessible.ts"
import { browserTest, expectFitting, openPage } from "./support/openPage.ts"
import { screenshot } from "./support/screenshot.ts"

let app: SiteApp
beforeAll(async () => {
  app = await openSite({ base_url: "http://payport.localhost" })
  await enlarge(app, app.buyer.id)
})
afterAll(() => app.stop())

/** The address to which the browser goes with the answer, and the page after it. */
const ANSWERED = /^asked elsewhere: (http:\/\/127\.0\.0\.1:33418\/callback\?|.*\/console\/keys$)/

/** Opens the consent screen of a program's request, signed in with the buyer's key. */
const asked = async (request: object, expected = ANSWERED) => {
  const query = new URLSearchParams(request as Record<string, string>)
  const page = await openPage(`${app.url}/console/authorize?${query}`, { expected })
  await page.getByLabel("API key").fill(app.buyer.api_key.key)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await page.getByRole("heading", { name: "A program asks for a key" }).waitFor()
  return page
}

browserTest("a person gives a program a key within a limit, and takes it back", async () => {
  const program = await openProgram(app, "Reading <b>assistant</b>")
  const { request, state, verifier } = await program.ask()
  const page = await asked(request)
  await page.getByText("Reading <b>assistant</b>").waitFor()
  await page.getByText("a program on this computer (127.0.0.1)").waitFor()
  await page.getByText("The limits below count a subscription's first period only.").waitFor()
  await page.getByText("They go on after this key has ended").waitFor()
  const allow = page.getByRole("button", { name: "Allow" })
  expect(await allow.isDisabled()).toBe(true)
  await page.getByLabel("Budget").fill("20")
  await expectAccessible(page)
  await expectFitting(page)
  await screenshot(page, "console-consent")
  await page.route(`${REDIRECT}*`, (route) => route.fulfill({ body: "Connected" }))
  await allow.click()
  await page.waitForURL(`${REDIRECT}*`)
  const answer = await program.exchange(new URL(page.url()), state, verifier)
  const { access_token } = (await answer.json()) as { readonly access_token: string }
  const call = async () => {
    const headers = { authorization: `Bearer ${access_token}` }
    return (await callTool(app, "x__pay_one_time", {}, headers)).status
  }
  expect(await call()).toBe(200)

  await page.goto(`${app.url}/console/keys`)
  const row = page.getByRole("row", { name: /for “Reading <b>assistant<\/b>”/ })
  await row.getByText(/0\.00 USD of 20\.00 USD spent this month/).waitFor()
  await expectAccessible(page)
  await expectFitting(page)
  await screenshot(page, "console-program-key")
  await row.getByRole("button", { name: /^Revoke(?! all)/ }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click()
  await row.getByText("Revoked").waitFor()
  expect(await call()).toBe(401)
})

browserTest(
  "a person whose answer is lost allows it again, and the program gets its key",
  async () => {
    const program = await openProgram(app)
    const { request, state, verifier } = await program.ask()
    const page = await asked(request, /ERR_FAILED|^asked elsewhere: http:\/\/127\.0\.0\.1:33418\//)
    await page.getByLabel("Budget").fill("20")
    await page.route("**/v1/oauth/authorization", async (route) => {
      await route.fetch()
      await route.abort()
    })
    const allow = page.getByRole("button", { name: "Allow" })
    await allow.click()
    await page.getByRole("alert").getByText("The service did not answer.").waitFor()
    await page.unrouteAll()
    await page.route(`${REDIRECT}*`, (route) => route.fulfill({ body: "Connected" }))
    await allow.click()
    await page.waitForURL(`${REDIRECT}*`)
    const answer = await program.exchange(new URL(page.url()), state, verifier)
    expect(await answer.json()).toMatchObject({ token_type: "Bearer" })
  },
)

browserTest("a person who denies it sends the program away with nothing", async () => {
  const program = await openProgram(app)
  const { request, state } = await program.ask()
  const page = await asked(request)
  await page.route(`${REDIRECT}*`, (route) => route.fulfill({ body: "Denied" }))
  await page.getByRole("link", { name: "Deny" }).click()
  await page.waitForURL(`${REDIRECT}*`)
  const { searchParams } = new URL(page.url())
  expect(Object.fromEntries(searchParams)).toEqual({
    error: "access_denied",
    state,
    iss: "http://payport.localhost",
  })
})

browserTest("a request that leads elsewhere is shown, and nobody is sent there", async () => {
  const program = await openProgram(app)
  const { request } = await program.ask()
  const stolen = { ...request, redirect_uri: "https://evil.example/callback" }
  const page = await asked(stolen, /status of 422/)
  await page.getByRole("alert").getByText("redirect_uri is not valid").waitFor()
  expect(await page.getByRole("button", { name: "Allow" }).count()).toBe(0)
  // Nor does another page's form agree in the person's name.
  const forged = await fetch(`${app.url}/console/api/v1/oauth/authorization`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "cross-site" },
    body: JSON.stringify({ request, restrictions: limits() }),
  })
  expect(forged.status).toBe(403)
})
