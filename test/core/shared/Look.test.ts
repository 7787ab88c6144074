import { describe, expect, it } from "@effect/vitest"
import { lookOf } from "../../../core/shared/Look.ts"

describe("names that look alike", () => {
  it.each([
    ["Paper summaries", "paper summaries"],
    ["Paper summaries", "Раper summaries"],
    ["Paper summaries", "Ｐａｐｅｒ ｓｕｍｍａｒｉｅｓ"],
    ["Paper summaries", "Paper summaries."],
    ["Paper summaries", " Paper   summaries . . "],
    ["Paper summaries", "Paper sum\u200bmaries"],
    ["Paper summaries", "𝐏𝐚𝐩𝐞𝐫 𝐬𝐮𝐦𝐦𝐚𝐫𝐢𝐞𝐬"],
    ["paypal", "paypa1"],
    ["paypal", "paypaI"],
    ["paypal", "раураl"],
    ["paypal", "ρaypal"],
    ["google", "g00gle"],
    ["apple", "аррӏе"],
    ["scope", "ѕсоре"],
    ["demo-seller", "dеmo-seller"],
    ["demo-seller", "demo-seIIer"],
  ])("%s and %s", (one, other) => {
    expect(lookOf(other)).toBe(lookOf(one))
  })

  it.each([
    ["mail", "mall"],
    ["MAIL", "MALL"],
    ["modern", "modem"],
    ["Plan 2", "Plan 3"],
    ["seller-1", "seller-2"],
    ["天气", "天空"],
    ["Погода", "Новости"],
    ["café", "cafe"],
  ])("are not %s and %s", (one, other) => {
    expect(lookOf(other)).not.toBe(lookOf(one))
  })
})
