import { Effect, Redacted, type Scope } from "effect"
import { createHmac } from "node:crypto"
import { createServer as createHttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, onTestFinished, test } from "vitest"
import { type Carrier, messengerOf } from "../../../adapters/identity/carriers.ts"
import { smsOverHttp } from "../../../adapters/identity/smsOverHttp.ts"
import { smtp } from "../../../adapters/identity/smtp.ts"
import type { Message } from "../../../core/ports/Messenger.ts"
import { mailServer } from "../../support/mailServer.ts"

const message: Message = {
  id: "kyc_1-1-email",
  account_id: "acct_1",
  verification_id: "kyc_1",
  channel: "email",
  to: "ada@example.com",
  subject: "Your verification code",
  text: "123456 is your verification code.",
}

const SECRETS = [message.to, "123456", "+14155550123", "word-word-word-word", "hidden-key"]

/** Sends by a carrier; returns undefined if it was accepted, otherwise the refusal. */
const send = async (
  carrier: Effect.Effect<Carrier, never, Scope.Scope>,
  said: Partial<Message> = {},
) => {
  const outcome = await Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(carrier, (carry) => carry({ ...message, ...said })).pipe(
        Effect.as(undefined),
        Effect.catchTag("MessageNotSent", (error) => Effect.succeed(error.message)),
      ),
    ),
  )
  for (const secret of SECRETS) expect(outcome ?? "").not.toContain(secret)
  return outcome
}

describe("e-mail", () => {
  test("is handed to the mail server, to its one address", async () => {
    const { heard, settings } = await mailServer(() => "250 ok")
    expect(await send(smtp(settings))).toBeUndefined()
    expect(heard.filter((line) => line.startsWith("RCPT"))).toEqual(["RCPT TO:<ada@example.com>"])
    expect(heard).toContain("MAIL FROM:<codes@payport.test>")
    expect(heard).toContain("Subject: Your verification code")
    expect(heard).toContain("123456 is your verification code.")
    expect(heard.join("\n")).toContain("<kyc_1-1-email@")
  })

  test("that is not taken is said to be so by its code alone", async () => {
    const { settings } = await mailServer((line) =>
      line.startsWith("RCPT") ? "550 no such person as ada@example.com" : "250 ok",
    )
    expect(await send(smtp(settings))).toBe("The mail server did not take it (550).")
  })

  test.each([
    ['"a b"@example.com', "a quoted name"],
    ["ada@exam\u00adple.com", "a letter that the domain loses"],
    ["ada@b\u00fccher.example", "a domain that is written otherwise"],
    ["gr\u00f6\u00dfe@example.com", "a name outside ASCII"],
    ["ada@example.com,eve@example.com", "two addresses"],
    ["Ada <ada@example.com>", "a name beside it"],
    ["ada@example.com>\r\nRCPT TO:<eve@example.com", "a line of SMTP"],
    ["ada@example.com\r\nBcc: eve@example.com", "a header"],
    ["ada", "no domain"],
    ["", "nothing"],
  ])("is not sent to %j: %s", async (to) => {
    const { heard, settings } = await mailServer(() => "250 ok")
    expect(await send(smtp(settings), { to })).toBe("The address has no plain form.")
    expect(heard).toEqual([])
  })

  test.each(["Ada@example.com", "a'b/c`{|}~@example.com", "ada@xn--bcher-kva.example"])(
    "is sent to %s as it is",
    async (to) => {
      const { heard, settings } = await mailServer(() => "250 ok")
      expect(await send(smtp(settings), { to })).toBeUndefined()
      expect(heard).toContain(`RCPT TO:<${to}>`)
      expect(heard).toContain(`To: ${to}`)
    },
  )

  test("finds nobody where no server is", async () => {
    const { close, settings } = await mailServer(() => "250 ok")
    close()
    expect(await send(smtp(settings))).toMatch(/^The mail server did not take it \("E\w+"\)\.$/)
  })
})

/** A provider of text messages that answers with this status and records the messages. */
const provider = async (
  status: number,
  headers: { readonly [name: string]: string } = {},
  ends = true,
) => {
  const sent: Array<{ body: string; headers: { readonly [name: string]: unknown } }> = []
  const server = createHttpServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      sent.push({ body, headers: request.headers })
      response.writeHead(status, headers).write("x".repeat(100_000))
      if (ends) response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(
    () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  const settings = {
    url: Redacted.make(`http://127.0.0.1:${port}/send?key=hidden-key`),
    secret: Redacted.make("word-word-word-word"),
  }
  return { sent, settings }
}

const sms = { ...message, id: "kyc_1-1-sms", channel: "sms", to: "+14155550123" } as const

describe("a text message", () => {
  test("is a signed POST under its own number", async () => {
    const { sent, settings } = await provider(200)
    expect(await send(smsOverHttp(settings), sms)).toBeUndefined()
    const [request] = sent
    expect(JSON.parse(request?.body ?? "")).toEqual({ id: sms.id, to: sms.to, text: sms.text })
    expect(request?.headers["idempotency-key"]).toBe(sms.id)
    const [, t = "", v1] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request?.headers["payport-signature"])) ?? []
    const expected = createHmac("sha256", "word-word-word-word").update(`${t}.${request?.body}`)
    expect(v1).toBe(expected.digest("hex"))
    expect(Math.abs(Date.now() / 1_000 - Number(t))).toBeLessThan(60)
  })

  test.each([
    [202, undefined],
    [500, "The provider of text messages answered 500."],
  ])("is judged by the status %i alone, though the answer never ends", async (status, outcome) => {
    const { sent, settings } = await provider(status, {}, false)
    expect(await send(smsOverHttp(settings), sms)).toBe(outcome)
    expect(sent).toHaveLength(1)
  })

  test.each([500, 400, 302])(
    "that is answered %i was not sent, and nothing is followed",
    async (status) => {
      const other = await provider(200)
      const location = Redacted.value(other.settings.url)
      const { settings } = await provider(status, { location })
      expect(await send(smsOverHttp(settings), sms)).toBe(
        `The provider of text messages answered ${status}.`,
      )
      expect(other.sent).toEqual([])
    },
  )

  test("finds nobody where no provider is", async () => {
    const url = Redacted.make("http://127.0.0.1:9/send")
    const secret = Redacted.make("word-word-word-word")
    expect(await send(smsOverHttp({ url, secret }), sms)).toBe(
      "The provider of text messages did not answer.",
    )
  })
})

test("a messenger has the channels that have a carrier", async () => {
  const messenger = messengerOf({ email: () => Effect.void })
  expect([...messenger.channels]).toEqual(["email"])
  expect(await send(Effect.succeed(messenger.send), sms)).toBe("No carrier is set up.")
  expect(await send(Effect.succeed(messenger.send))).toBeUndefined()
})
