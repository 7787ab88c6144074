import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isId, isUuid } from "../../../core/shared/Id.ts"

const uuid = "019b7726-a400-7000-8000-00000000000f"

const noUuids = [
  "",
  uuid.toUpperCase(),
  ` ${uuid}`,
  `${uuid}\n`,
  `${uuid}0`,
  uuid.slice(1),
  uuid.replaceAll("-", ""),
  `{${uuid}}`,
  uuid.replace("-7000-", "-0000-"),
  uuid.replace("-7000-", "-9000-"),
  uuid.replace("-8000-", "-7000-"),
  uuid.replace("-8000-", "-c000-"),
  uuid.replace("f", "g"),
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
]

describe("isUuid", () => {
  it.each(noUuids)("%j is none", (text) => expect(isUuid(text)).toBe(false))

  it("knows every version from 1 to 8", () => {
    fc.assert(
      fc.property(fc.uuid({ version: [1, 2, 3, 4, 5, 6, 7, 8] }), (text) => {
        expect(isUuid(text)).toBe(true)
      }),
    )
  })
})

describe("isId", () => {
  it.each(noUuids)("pi_ and %j is none", (text) => expect(isId("pi", `pi_${text}`)).toBe(false))

  const others = ["", "evt_", "PI_", "pi", "pi__", "api_"].map((prefix) => prefix + uuid)

  it.each([...others, "pi_", "pi"])("%j is no payment intent's", (text) => {
    expect(isId("pi", text)).toBe(false)
  })

  it.each(["acct", "key", "pi", "qr", "evt", "wd", "creq", "disc"] as const)(
    "%s_ and a UUID is one, of that kind only",
    (prefix) => {
      expect(isId(prefix, `${prefix}_${uuid}`)).toBe(true)
      expect(isId(prefix === "pi" ? "qr" : "pi", `${prefix}_${uuid}`)).toBe(false)
    },
  )
})
