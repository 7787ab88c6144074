import { Layer, Redacted } from "effect"
import { afterEach, expect, test } from "vitest"
import { contactRules } from "../../../adapters/identity/contactRules.ts"
import { memory } from "../../../apps/payport/memory.ts"
import { ContactRules } from "../../../apps/payport/ports.ts"
import { mailServer } from "../../support/mailServer.ts"
import { aShop, type Shop } from "./aShop.ts"

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** A sandbox in an app that sends e-mail to a test's mail server. */
const open = async (said: object = {}) => {
  const { heard, settings } = await mailServer(() => "250 ok")
  const smtp = { url: Redacted.value(settings.url), from: settings.from }
  const shop: Shop = await aShop({ store: memory(), log: false, carriers: { smtp }, ...said })
  closing.push(shop.payport.close)
  return { ...shop, heard }
}

const PHONE = "+14155550123"

const submission = (email: string) =>
  ({ agent_id: "ada", level: "basic", data: { email, phone: PHONE } }) as const

test("a code that comes by the host's mail server verifies", async () => {
  const { buyer, heard, payport } = await open()
  const { verification_id } = await payport.kyc.verify(buyer, submission("ada@example.com"))
  expect(heard.filter((line) => line.startsWith("RCPT"))).toEqual(["RCPT TO:<ada@example.com>"])
  const [, otp = ""] = /^(\d{6}) is your/m.exec(heard.join("\n")) ?? []
  const verified = await payport.kyc.verify(buyer, { verification_id, otp })
  expect(verified).toMatchObject({ status: "verified", level: "basic" })
})

test.each([
  '"a b"@example.com',
  "ada@exam\u00adple.com",
  "gr\u00f6\u00dfe@example.com",
  "ada@example.com,eve@example.com",
  "ada@example.com\r\nBcc: eve@example.com",
  "ada@example.com>\r\nRCPT TO:<eve@example.com",
])("an address that would be written otherwise is refused: %j", async (email) => {
  const { buyer, heard, payport } = await open()
  const refused = payport.kyc.verify(buyer, submission(email))
  await expect(refused).rejects.toMatchObject({
    code: "validation_error",
    details: { field: "data.email" },
  })
  expect(heard).toEqual([])
})

test("rules of the host's that take anything for an address send nothing to two", async () => {
  const rules = Layer.succeed(ContactRules, { ...contactRules, isEmail: () => true })
  const { buyer, heard, payport } = await open({ ports: rules })
  const email = "ada@example.com>\r\nRCPT TO:<eve@example.com"
  // Text of more than a line is refused before anybody's rules are asked.
  await expect(payport.kyc.verify(buyer, submission(email))).rejects.toMatchObject({
    code: "validation_error",
  })
  const { status, verification_id } = await payport.kyc.verify(
    buyer,
    submission("ada@example.com,eve@example.com"),
  )
  expect(status).toBe("pending")
  const { data } = await payport.sandbox.listMessages(buyer, { verification_id })
  expect(data.map(({ channel, to }) => [channel, to])).toEqual([["sms", PHONE]])
  expect(heard).toEqual([])
})
