import { describe, expect, test } from "vitest"
import { readRequired } from "../../../adapters/shared/x402/Required.ts"

const read = (said: object) => {
  const text = JSON.stringify({ x402Version: 2, accepts: [], ...said })
  const answer = readRequired(Buffer.from(text).toString("base64"))
  return answer.type === "payment_required" ? answer.said : answer
}

const within = (depth: number): unknown => (depth === 0 ? "leaf" : [within(depth - 1)])

const declaring = (example: unknown) => ({
  extensions: { bazaar: { info: { input: { type: "http", method: "GET" }, example } } },
})

describe("what a resource says of itself", () => {
  test("has no halves of characters, which strict readers refuse", () => {
    const resource = { description: "Reports \ud800", mimeType: "text/\udfff" }
    expect(read({ resource })).toMatchObject({
      description: "Reports \ufffd",
      mime_type: "text/\ufffd",
    })
  })

  test.each([
    [10, true],
    [40, false],
    [1_000, false],
    [4_000, false],
  ])("is shown %i deep: %s", (depth, shown) => {
    const answer = read(declaring(within(depth)))
    expect(answer).toHaveProperty("declared")
    expect(Reflect.get(answer, "declared") !== null).toBe(shown)
  })
})
