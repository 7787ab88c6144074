import type { IncomingHttpHeaders } from "node:http"
import { describe, expect, test } from "vitest"
import {
  begun,
  cookieOf,
  endedCookie,
  endsAt,
  fromText,
  IDLE,
  isOver,
  renewed,
  scopeAt,
  sealedIn,
  toText,
} from "../../../../adapters/pages/console/Session.ts"
import { refuseForeign } from "../../../../adapters/pages/console/ownRequest.ts"
import { SESSION_LIFETIME } from "../../../../core/keys/ConsoleSession.ts"
import { HOUR, MINUTE } from "../../../../core/shared/Timestamp.ts"

const NOW = Date.UTC(2026, 0, 31)
const session = begun("sk_test_x", "cses_1", NOW)

describe("how long a session lasts", () => {
  test.each<[string, Partial<typeof session>, number, boolean]>([
    ["it lasts at once", {}, 0, false],
    ["it lasts until it was idle for half an hour", {}, IDLE - 1, false],
    ["it is over when it was", {}, IDLE, true],
    ["it lasts on where it was seen", { seen_at: NOW + HOUR }, HOUR + IDLE - 1, false],
    [
      "it is over after twelve hours, seen or not",
      { seen_at: NOW + SESSION_LIFETIME },
      SESSION_LIFETIME,
      true,
    ],
    ["one of tomorrow is none", { begun_at: NOW + HOUR, seen_at: NOW + HOUR }, 0, true],
    ["nor one that was seen tomorrow", { seen_at: NOW + HOUR }, 0, true],
  ])("%s", (_name, said, later, over) => {
    expect(isOver({ ...session, ...said }, NOW + later)).toBe(over)
  })

  test("it is renewed at most once a minute, and keeps its beginning", () => {
    expect(renewed(session, NOW + MINUTE - 1)).toBeUndefined()
    expect(renewed(session, NOW + MINUTE)).toEqual({ ...session, seen_at: NOW + MINUTE })
  })

  test.each(["", "{}", "[]", '{"key":"","begun_at":1,"seen_at":1}', '{"key":"a"}'])(
    "%o is no session",
    (text) => expect(fromText(text)).toBeUndefined(),
  )

  test("its text says the same again", () => {
    expect(fromText(toText(session))).toEqual(session)
  })
})

describe("its cookie", () => {
  test("lasts as long as the session, for no script and no other site", () => {
    const late = { ...session, seen_at: NOW + SESSION_LIFETIME - MINUTE }
    expect(endsAt(late)).toBe(NOW + SESSION_LIFETIME)
    expect(cookieOf("v2.a", session, NOW, scopeAt("http://a.example"))).toBe(
      "payport_console=v2.a; Path=/; HttpOnly; SameSite=Strict; Max-Age=1800",
    )
    expect(cookieOf("v2.a", late, late.seen_at, scopeAt("https://a.example/"))).toBe(
      "__Host-payport_console=v2.a; Path=/; HttpOnly; SameSite=Strict; Max-Age=60; Secure",
    )
    const ended = endedCookie(scopeAt("http://a.example"))
    expect(ended).toBe("payport_console=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
  })

  test.each<[string | undefined, boolean, string | undefined]>([
    [undefined, false, undefined],
    ["a=1; payport_console=v2.x; b=2", false, "v2.x"],
    ["payport_console=", false, undefined],
    ["payport_console=v2.x; payport_console=v2.y", false, undefined],
    ["payport_console=v2.x", true, undefined],
    ["__Host-payport_console=v2.x", true, "v2.x"],
    ["__Host-payport_console=v2.x", false, undefined],
  ])("of %o (secure: %o) %o is read", (header, secure, value) => {
    expect(sealedIn(header, { secure })).toBe(value)
  })
})

describe("whose page asks", () => {
  const OURS = { host: "pay.example", "x-payport-console": "1" }
  test.each<[string, string, IncomingHttpHeaders, boolean]>([
    ["a page of ours reads", "GET", OURS, true],
    ["and changes", "POST", { ...OURS, "sec-fetch-site": "same-origin" }, true],
    ["by its origin alone", "POST", { ...OURS, origin: "https://pay.example" }, true],
    ["at the name it is served by", "POST", { ...OURS, origin: "http://pay.example" }, true],
    ["a form has no header", "POST", { host: "pay.example", origin: "https://pay.example" }, false],
    ["a link has none either", "GET", { host: "pay.example" }, false],
    ["a change of nobody knows whom", "POST", OURS, false],
    ["another site", "GET", { ...OURS, "sec-fetch-site": "cross-site" }, false],
    ["a neighbour", "POST", { ...OURS, "sec-fetch-site": "same-site" }, false],
    ["typed into the address bar", "GET", { ...OURS, "sec-fetch-site": "none" }, false],
    ["another origin", "GET", { ...OURS, origin: "https://evil.example" }, false],
    ["another port", "POST", { ...OURS, origin: "https://pay.example:8443" }, false],
    ["an opaque origin", "POST", { ...OURS, origin: "null" }, false],
  ])("%s", (_name, method, headers, own) => {
    const refusal = refuseForeign(method, headers, "https://pay.example/base")
    expect(refusal?.code).toBe(own ? undefined : "FORBIDDEN")
  })
})
