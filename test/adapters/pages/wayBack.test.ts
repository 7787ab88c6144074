import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { wayBack } from "../../../adapters/pages/payment/wayBack.ts"
import { Store } from "../../../core/ports/Store.ts"
import { aManifest } from "../../support/app.ts"
import { ALLOWED_WAYS, REFUSED_WAYS } from "../../support/returnUrls.ts"
import { openSite, type SiteApp } from "../../support/site.ts"

describe("a way back", () => {
  test.each(ALLOWED_WAYS)("of %s leads where it says", (_, return_url, href, host) => {
    expect(wayBack(return_url)).toEqual({ href, host })
  })

  test.each([
    ["nothing", null],
    ["a script", "javascript://shop.example/%0aalert(1)"],
    ["a document of its own", "data:text/html,x"],
    ["a tab in the scheme", "java\tscript:alert(1)"],
    ["a part of the browser", "blob:https://shop.example/0192f0aa"],
    ["no scheme", "//evil.example/"],
    ["a name before the host", "https://shop.example@evil.example/"],
    ["a password alone", "https://:shop.example@evil.example/"],
    ["a port that no host has", "https://shop.example:99999/"],
  ])("that is %s leads nowhere", (_, return_url) => {
    expect(wayBack(return_url)).toBeUndefined()
  })

  test.each(REFUSED_WAYS)(
    "that is %s leads to a website or nowhere, and its host is all that is told of it",
    (_, return_url) => {
      const back = wayBack(return_url)
      if (back === undefined) return
      // Browsers read the rest as a website too: at the host that is shown.
      expect(back.href).toMatch(/^https?:\/\/[^\s/@\\]+\/\S*$/)
      expect(new URL(back.href).host).toBe(back.host)
      expect(back.host).toMatch(/^[\w.:[\]-]+$/)
    },
  )
})

describe("the page of a payment", () => {
  let app: SiteApp
  beforeAll(async () => {
    app = await openSite()
  })
  afterAll(() => app.stop())

  let service: Promise<string> | undefined
  const aService = async (): Promise<string> => {
    const { json } = await app.call("POST", "/v1/services", { body: aManifest() })
    await app.call("PATCH", `/v1/services/${String(json["id"])}/activate`)
    return String(json["id"])
  }

  const ask = async (return_url: string) => {
    const service_id = await (service ??= aService())
    const amount = { currency: "USD", value: 699 }
    const body = { service_id, type: "one_time", amount, description: "One", return_url }
    return app.call("POST", "/v1/payment-intents", { key: app.buyer.api_key.key, body })
  }

  /** A payment that its payer has declined. */
  const declined = async (return_url: string): Promise<string> => {
    const id = String((await ask(return_url)).json["id"])
    const path = `/v1/sandbox/payment-intents/${id}/simulate`
    await app.call("POST", path, { key: app.buyer.api_key.key, body: { action: "reject" } })
    return id
  }

  const links = async (id: string): Promise<ReadonlyArray<string>> => {
    const text = await (await app.get(`/pay/${id}`)).text()
    expect(text).toContain("You declined")
    expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/)/)
    return text.match(/<a class="button quiet back"[^]*?<\/a>/g) ?? []
  }

  test.each(REFUSED_WAYS)("is never made with a way back that is %s", async (_, return_url) => {
    const { json, status } = await ask(return_url)
    // A null in any text is refused before its field is looked at.
    const refusal = return_url.includes("\0") ? [400, "INVALID_JSON"] : [422, "INVALID_REQUEST"]
    expect([status, json["code"]]).toEqual(refusal)
  })

  test.each(ALLOWED_WAYS)(
    "links a way back of %s, and nothing else",
    async (_, url, href, host) => {
      const escaped = href.replaceAll("&", "&amp;")
      expect(await links(await declined(url))).toEqual([
        `<a class="button quiet back" href="${escaped}" rel="noreferrer nofollow">` +
          `Back to ${host}</a>`,
      ])
    },
  )

  test("links nothing of what must not have been stored", async () => {
    const id = await declined("https://shop.example/")
    const store = await app.run(Store)
    for (const return_url of [
      "javascript:alert(1)",
      "https://a:b@evil.example/",
      "//evil.example",
    ]) {
      const found = await Effect.runPromise(store.find("payment_intent", id))
      if (found === undefined) throw new Error("The payment is gone.")
      const record = { ...found, return_url }
      const write = { op: "replace", kind: "payment_intent", record } as const
      await Effect.runPromise(store.commit({ writes: [write] }))
      expect(await links(id)).toEqual([])
    }
  })
})
