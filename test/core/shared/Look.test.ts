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
    ["demo-seller", "demo\u2010seller"],
    ["demo-seller", "demo\u2212seller"],
    ["demo-seller", "demo\u02d7seller"],
    ["demo-seller", "demo\u2014seller"],
    ["Joe's reports", "Joe\u2019s reports"],
    ["Joe's reports", "Joe\u02bcs reports"],
    ["Joe's reports", "Joe\ua78cs reports"],
    ["Joe's reports", "Joe's\u2800reports\u2800"],
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
